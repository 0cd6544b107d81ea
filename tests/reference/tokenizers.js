// Tokenize with the package "tokenizers" for node (by Hugging Face, 0.23). For each file that
// tokenizer_files.py wrote into a folder, write FAMILY.out: for each line of lines.txt the ids,
// a tab, and the text decoded from them in hexadecimal.
//   node tokenizers.js FOLDER [FAMILY ...]
const fs = require("fs");
const path = require("path");
const { Tokenizer } = require("tokenizers");

async function main(folder, chosen) {
  const lines = fs.readFileSync(path.join(folder, "lines.txt"), "utf8").split("\n").slice(0, -1)
    .map((line) => line.replace(/\\([nr\\])/g, (_, c) => ({ n: "\n", r: "\r", "\\": "\\" })[c]));
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -5)).filter((name) => !chosen.length || chosen.includes(name));
  for (const name of names) {
    const tokenizer = Tokenizer.fromFile(path.join(folder, name + ".json"));
    const out = [];
    for (const line of lines) {
      const whole = await tokenizer.encode(line);
      const text = await tokenizer.decode(whole.getIds(), true);
      out.push(whole.getIds().join(" ") + "\t" + Buffer.from(text).toString("hex") + "\n");
    }
    fs.writeFileSync(path.join(folder, name + ".out"), out.join(""));
  }
}

main(process.argv[2], process.argv.slice(3));
