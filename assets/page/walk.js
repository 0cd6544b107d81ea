'use strict';
(() => {
document.getElementById('keys').hidden = false;
const why = document.createElement('output');
why.id = 'why';
why.hidden = true;
document.body.append(why);
const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
  ArrowRight: [0, 1] };
const cells = row => [...row.querySelectorAll('td')];
function words(cell) {
  const table = cell.closest('table'), row = cell.parentNode;
  const at = cells(row).indexOf(cell);
  const column = table.tHead.querySelectorAll('th')[at];
  if (!column || column.dataset.item === undefined) return null;
  const head = row.querySelector('th');
  const items = [table.dataset.fixed, head && head.dataset.item,
    column.dataset.item].filter(item => item);
  return [table.dataset.name + '[' + items.join(', ') + '] = ' +
    cell.textContent, cell.dataset.why || table.dataset.why || ''];
}
function show(cell, beside) {
  const said = cell && words(cell);
  why.hidden = !said;
  if (!said) return;
  why.replaceChildren(...said.map((text, i) => {
    const part = document.createElement(i ? 'span' : 'b');
    part.textContent = text;
    return part;
  }));
  const box = why.getBoundingClientRect(), gap = 8;
  const right = document.documentElement.clientWidth - box.width - gap;
  const below = beside.bottom + gap + box.height < innerHeight;
  why.style.left = Math.max(Math.min(beside.left, right), gap) + 'px';
  why.style.top = Math.max(below ? beside.bottom + gap :
    beside.top - gap - box.height, gap) + 'px';
}
const hide = () => { why.hidden = true; };
document.querySelectorAll('table.numbers').forEach(table => {
  table.parentNode.removeAttribute('tabindex');
  const rows = [...table.tBodies[0].rows].map(cells);
  rows.flat().forEach(cell => { cell.tabIndex = -1; });
  let last = rows[0] && rows[0][0];
  if (!last) return;
  last.tabIndex = 0;
  table.addEventListener('focusin', event => {
    const cell = event.target.closest('td');
    if (!cell) return;
    last.tabIndex = -1;
    last = cell;
    last.tabIndex = 0;
    show(cell, cell.getBoundingClientRect());
  });
  table.addEventListener('focusout', hide);
  table.addEventListener('keydown', event => {
    const row = rows.findIndex(row => row.includes(last));
    const move = moves[event.key];
    if (!move) return;
    const next = (rows[row + move[0]] || [])[rows[row].indexOf(last) + move[1]];
    if (next) next.focus();
    event.preventDefault();
  });
  table.addEventListener('pointerover', event => {
    const cell = event.target.closest('tbody td');
    if (cell) show(cell, cell.getBoundingClientRect());
  });
  table.addEventListener('pointerleave', hide);
});
document.querySelectorAll('.drawing svg').forEach(svg => {
  const maps = [...svg.querySelectorAll('.cells')];
  if (!maps.length) return;
  let map = 0, row = 0, column = 0;
  const here = document.createElementNS(svg.namespaceURI, 'rect');
  here.setAttribute('class', 'here');
  const size = () => maps[map].dataset.size.split(' ').map(Number);
  function mark() {
    const [rows, columns] = size(), box = maps[map];
    const part = (name, count) => Number(box.getAttribute(name)) / count;
    const wide = part('width', columns), high = part('height', rows);
    const set = { x: part('x', 1) + column * wide, y: part('y', 1) + row * high,
      width: wide, height: high };
    for (const name in set) here.setAttribute(name, set[name]);
    svg.append(here);
    const of = document.getElementById(box.dataset.of).tBodies[0].rows[row];
    show(of && cells(of)[column], here.getBoundingClientRect());
  }
  function leave() {
    here.remove();
    hide();
  }
  svg.setAttribute('tabindex', '0');
  svg.addEventListener('focus', () => {
    if (svg.matches(':focus-visible')) mark();
  });
  svg.addEventListener('blur', leave);
  svg.addEventListener('pointerleave', leave);
  svg.addEventListener('pointermove', event => {
    const at = maps.indexOf(event.target);
    if (at < 0) return leave();
    const box = event.target.getBoundingClientRect();
    map = at;
    const [rows, columns] = size();
    row = Math.min(Math.floor((event.clientY - box.top) / box.height * rows),
      rows - 1);
    column = Math.min(Math.floor((event.clientX - box.left) / box.width *
      columns), columns - 1);
    mark();
  });
  svg.addEventListener('keydown', event => {
    const move = moves[event.key];
    if (!move) return;
    const [rows, columns] = size();
    row = Math.min(Math.max(row + move[0], 0), rows - 1);
    column += move[1];
    if (column < 0 || column >= columns) {
      const next = maps[map + move[1]] ? map + move[1] : map;
      column = next === map ? Math.min(Math.max(column, 0), columns - 1) :
        move[1] > 0 ? 0 : maps[next].dataset.size.split(' ')[1] - 1;
      map = next;
      row = Math.min(row, size()[0] - 1);
    }
    mark();
    event.preventDefault();
  });
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') hide();
});
const links = new Map([...document.querySelectorAll('nav a')].map(link =>
  [decodeURIComponent(link.hash.slice(1)), link]));
const stops = [...document.querySelectorAll('main > section')];
function follow() {
  const line = innerHeight / 3;
  const passed = stops.filter(stop => stop.getBoundingClientRect().top <= line);
  const link = links.get((passed.pop() || stops[0]).id);
  if (link.hasAttribute('aria-current')) return;
  links.forEach(other => other.removeAttribute('aria-current'));
  link.setAttribute('aria-current', 'true');
  const list = link.closest('ol');
  const gap = list.clientHeight / 2;
  list.scrollTop = link.offsetTop - list.offsetTop - gap;
}
if (stops.length) {
  document.addEventListener('scroll', follow, { passive: true });
  follow();
}
})();
