# make            build build/glassbox
# make run        install what is missing, build, start
# make test       install what is missing, build, check every promise on a sample, in minutes
# make test-all   every case of every test, and tests that take minutes
# make test-slow  only the latter
# make record     record screens and tables again; git diff shows the differences
# make pictures   draw the pictures of README again
# make lint       layout, names, layers, of files that changed since they last passed
# make sanitize   the tests under the address and undefined behavior sanitizers
# make sanitize-threads   tests with several threads, under the thread sanitizer
# make fuzz       T seconds of fuzzing for each parser: make fuzz T=600
# make coverage   the lines of parsers, ops and text that the tests run
# make smoke      run each benchmark, fuzzer and recipe briefly
# make bench      speed, compared with the limits of the machine
# make install    install program, man page, models, lessons and completion in PREFIX
# make deb        a Debian package, in build/deb
# make arm64      build for arm64 and run the unit tests in an emulator
# make musl       compile the code that does not need glibc with musl
# make language   update assets/language/*.po from the sources
# make models     train the models that come with the program, from the recipes
# make deps       install the packages listed here (apt-get), or list them
# make clean      remove the build
#
# NATIVE=1 builds only for this processor. It is rarely faster, since BLAS and the
# element loops select their code at run time.

BUILD   ?= build
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=

# Packages for apt-get: to build, to test, and for `make lint` or `make coverage`.
PACKAGES      = gcc make pkg-config libopenblas0-pthread libcairo2-dev libpango1.0-dev \
                libpng-dev zlib1g-dev libreadline-dev libncurses-dev libutf8proc-dev libjansson-dev libmd4c-dev \
                fonts-nanum gettext
TEST_PACKAGES = $(PACKAGES) binutils libcmocka-dev procps python3 python3-numpy \
                python3-pexpect strace tmux
ALL_PACKAGES  = $(TEST_PACKAGES) chromium valgrind
LINT_PACKAGES = $(ALL_PACKAGES) clang clang-format clang-tidy libclang-rt-14-dev

MUSL_PACKAGES = $(PACKAGES) musl-tools
# To build for arm64; the libraries are unpacked, not installed.
ARM64_LIBRARIES = $(filter lib% zlib% fonts%, $(TEST_PACKAGES))
ARM64_PACKAGES  = $(PACKAGES) debootstrap gcc-aarch64-linux-gnu qemu-user-static
DEB_PACKAGES  = $(PACKAGES) build-essential debhelper dpkg-dev fakeroot lintian

COVERAGE_PACKAGES = $(ALL_PACKAGES) gcovr

LIBRARIES = libpng zlib libutf8proc jansson md4c readline ncursesw
LOADED    = cairo pangocairo # loaded for the first picture, see src/canvas/drawing.h
WARNINGS  = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wundef -Wvla -Wformat=2 \
            -Werror=incompatible-pointer-types -Werror=int-conversion
INCLUDES := $(patsubst -I%,-isystem%,$(shell pkg-config --cflags-only-I $(LIBRARIES) $(LOADED) 2>/dev/null))
LIBS     := $(shell pkg-config --libs $(LIBRARIES) 2>/dev/null) -lm -lpthread -ldl
FLAGS     = -std=c17 -D_GNU_SOURCE -Isrc -Itests -I$(BUILD)/page -fopenmp-simd $(WARNINGS) $(INCLUDES) \
            $(if $(NATIVE),-march=native)

# Print one line per target; nothing with `make -s`. Functions of make are used instead
# of echo and mkdir, because a process for each of 600 files takes time.
SAY       = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $(1)))

# What the system has and others do not: see src/base/system.h.
SYSTEM    = glibc
SOURCES   = $(filter-out src/base/system_%.c, $(wildcard src/*/*.c)) src/base/system_$(SYSTEM).c
OBJECTS   = $(SOURCES:%.c=$(BUILD)/%.o)
TESTS     = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/test_*.c))
# Libraries that make system calls fail or perturb numbers: see tests/hazards/faults.py.
FAULTS    = $(patsubst tests/%.c,$(BUILD)/tests/%.so,$(wildcard tests/hazards/faults_*.c) tests/hazards/noise.c)
# The same code with Number = double, to check gradients with a tight tolerance.
DOUBLES   = $(patsubst tests/%.c,$(BUILD)/double/tests/%,$(wildcard tests/units/test_ops*.c) \
            tests/units/test_lens.c)
BENCHES   = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/bench/bench_*.c))
# Each reads the files of tests/fuzz/corpus, unless libFuzzer provides main().
FUZZERS   = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_MAIN = $(BUILD)/tests/fuzz/replay.o
SCRIPTS   = $(wildcard tests/*/test_*.py)
# Programs that the scripts run in addition to glassbox.
HELPERS   = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/reference/*.c))

# The languages other than English, one file each.
LANGUAGES = $(patsubst assets/language/%.po,$(BUILD)/locale/%/LC_MESSAGES/glassbox.mo,\
              $(wildcard assets/language/*.po))

all: $(BUILD)/glassbox $(LANGUAGES)

# Create the folder of a target before the target.
.SECONDEXPANSION:
%/:
	@mkdir -p $@

$(BUILD)/locale/%/LC_MESSAGES/glassbox.mo: assets/language/%.po | $$(@D)/
	$(call SAY,MSGFMT $@)
	@msgfmt --check -o $@ $<

# Style and script of HTML pages as byte values, to include in C.
PAGE_FILES = $(patsubst assets/page/%,$(BUILD)/page/%.inc,$(wildcard assets/page/*)) $(BUILD)/page/canvas.calls.inc
$(BUILD)/page/%.inc: assets/page/% | $$(@D)/
	@od -An -v -tu1 $< | sed 's/ *\([0-9][0-9]*\)/\1,/g' > $@ && echo 0 >> $@
# The functions of Cairo, Pango and GLib that the program calls.
$(BUILD)/page/canvas.calls.inc: src/canvas/image.c src/canvas/letters.c | $$(@D)/
	@names=$$(grep -ohE '\<(cairo|pango|g)_[a-z0-9_]+ *\(' $^ | tr -d ' (' | sort -u); \
	for name in $$names; do \
	    printf '#ifdef CALL\nCALL(%s)\n#else\n#undef %s\n#define %s drawing.%s\n#endif\n' \
	        $$name $$name $$name $$name; \
	done > $@
$(OBJECTS) $(OBJECTS:$(BUILD)/%=$(BUILD)/double/%): | $(PAGE_FILES)

# Functions with a sentence as argument, and its number. N_() marks sentences in tables.
SAYS = N_ tr trf:2 fail:2 fail_usage:2 tape_fail:2 add_detail:2 page_line:2 page_note:2 \
       page_prose:2 page_section:2 page_hint:2 page_counting:4 terms_new:3 KEY:4 SETTING:4
SAID_IN = $(sort $(wildcard src/*.c src/*/*.[ch]))

# Without the date, so that equal sources give equal files.
$(BUILD)/glassbox.pot: $(SAID_IN) | $$(@D)/
	@xgettext --language=C --from-code=UTF-8 --no-location --keyword $(SAYS:%=--keyword=%) \
	    -o - $(SAID_IN) | sed '/^"POT-Creation-Date/d' > $@

# Add new sentences without translation, and remove those that no longer exist.
language: $(BUILD)/glassbox.pot
	@for file in assets/language/*.po; do \
	    msgmerge --quiet --no-fuzzy-matching --no-location -o $(BUILD)/merged.po $$file $< && \
	    msgattrib --no-obsolete -o $$file $(BUILD)/merged.po && \
	    msgfmt --check --statistics -o /dev/null $$file || exit 1; \
	done

# Programs link only what they use from the archive, so a fuzzer contains only its parser.
$(BUILD)/glassbox.a: $(OBJECTS)
$(BUILD)/double/glassbox.a: $(OBJECTS:$(BUILD)/%=$(BUILD)/double/%)
%/glassbox.a:
	$(call SAY,AR $@)
	@rm -f $@ && $(AR) rcs $@ $^

LINK = $(call SAY,LD $@)@$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--export-dynamic-symbol=tape_noise $^ $(LIBS)
$(BUILD)/glassbox: $(BUILD)/src/main.o $(BUILD)/glassbox.a
	$(LINK) -o $@

$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(FUZZ_MAIN) $(BUILD)/glassbox.a
	$(LINK) -o $@

$(BUILD)/double/tests/%: $(BUILD)/double/tests/%.o $(BUILD)/double/glassbox.a
	$(LINK) -lcmocka -o $@

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/glassbox.a
	$(LINK) -lcmocka -o $@

$(BUILD)/tests/%.so: tests/%.c | $$(@D)/
	$(call SAY,CC $@)
	@$(CC) $(FLAGS) -O2 -g -shared -fPIC -MMD -MP $< -o $@

# Flags to vectorize the loops over numbers; see src/kernel/vector.h. They come after
# CFLAGS, because the last -O option counts.
VECTORS = $(patsubst %.c,%.o,$(wildcard src/kernel/*.c src/ops/*.c)) src/learn/adam.o
$(VECTORS:%=$(BUILD)/%) $(VECTORS:%=$(BUILD)/double/%): \
    LOOPS = -O3 -fno-math-errno -fno-trapping-math -ffp-contract=fast

# The order matters: the more specific pattern comes first.
$(BUILD)/double/%.o: %.c | $$(@D)/
	$(call SAY,CC $@)
	@$(CC) $(FLAGS) $(CFLAGS) $(LOOPS) -DNUMBER=double -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.c | $$(@D)/
	$(call SAY,CC $@)
	@$(CC) $(FLAGS) $(CFLAGS) $(LOOPS) -MMD -MP -c $< -o $@

-include $(shell find $(BUILD) -name root -prune -o -name '*.d' -type f -print 2>/dev/null)

run: deps
	@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@$(BUILD)/glassbox

# GLASSBOX_TEST_ALL enables all cases: see tests/README.md.
test:
	@$(MAKE) --no-print-directory -s deps \
	    PACKAGES="$(if $(GLASSBOX_TEST_ALL),$(ALL_PACKAGES),$(TEST_PACKAGES))"
	@$(MAKE) --no-print-directory -s -j$$(nproc) built-tests
	@tests/layers.sh
	@BUILD=$(BUILD) tests/run.sh $(TESTS) $(DOUBLES) $(FUZZERS) $(SCRIPTS)

built-tests: $(BUILD)/glassbox $(LANGUAGES) $(TESTS) $(DOUBLES) $(FUZZERS) $(FAULTS) \
             $(HELPERS)

test-all:
	@GLASSBOX_TEST_ALL=1 $(MAKE) --no-print-directory -s test
	@$(MAKE) --no-print-directory -s test-slow

# Record the screens of tests/terminal/test_screen.py and lessons/REFERENCE.md.
record: all
	@GLASSBOX_TEST_ALL=1 BUILD=$(BUILD) RECORD=1 tests/run.sh tests/terminal/test_screen.py
	@$(BUILD)/glassbox help --markdown --language en > lessons/REFERENCE.md
	@git --no-pager diff --stat -- tests/terminal/screens lessons/REFERENCE.md

# Draw the pictures of README by the commands in them.
pictures: all
	@GLASSBOX=$(BUILD)/glassbox python3 tests/terminal/pictures.py

test-slow: built-tests
	@$(MAKE) --no-print-directory -s $(BUILD)/sanitized/glassbox BUILD=$(BUILD)/sanitized \
	    CFLAGS="$(SANITIZED)"
	@GLASSBOX_TEST_ALL=1 BUILD=$(BUILD) LIMIT=1800 tests/run.sh $(wildcard tests/*/slow_*.py)

# A file that passed is checked again if it, its includes or the rules change.
FORMATTED = $(wildcard src/*.c src/*/*.[ch] tests/*/*.[ch])
TIDIED    = $(patsubst %.c,$(BUILD)/lint/%.passed,$(SOURCES) src/main.c)
lint:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(LINT_PACKAGES)"
	@tests/layers.sh
	@mkdir -p $(BUILD)/lint
	@$(MAKE) --no-print-directory -k -j$$(nproc) linted 2>&1 | tee $(BUILD)/lint/log
	@! grep -E '(warning|error): |\*\*\*' $(BUILD)/lint/log

linted: $(BUILD)/lint/format.passed $(TIDIED)
	@echo "lint: nothing to say"

$(BUILD)/lint/format.passed: .clang-format $(FORMATTED) | $$(@D)/
	@clang-format --dry-run --Werror $(or $(if $(filter $<,$?),,$?),$(FORMATTED))
	@touch $@

$(BUILD)/lint/%.passed: %.c .clang-tidy | $$(@D)/ $(PAGE_FILES)
	$(call SAY,TIDY $<)
	@clang-tidy --quiet $< -- $(FLAGS) -Wno-unknown-pragmas 2> /dev/null
	@$(CC) $(FLAGS) -MM -MP -MT $@ -MF $(@:passed=d) $<
	@touch $@

SANITIZED = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
            -fno-sanitize-recover=all
sanitize:
	@GLASSBOX_TEST_ALL=1 LIMIT=1800 $(MAKE) --no-print-directory -s test BUILD=$(BUILD)/sanitized \
	    CFLAGS="$(SANITIZED)"

# BLAS is not instrumented, but it runs on the calling thread and writes only its arguments.
SHARING = $(patsubst %,$(BUILD)/tests/units/test_%,threads adam ops_values reference \
              model network train train_files train_reference) \
          $(BUILD)/tests/hazards/test_train_faults \
          $(patsubst %,tests/terminal/test_%.py,evaluate same_numbers train_stop)
sanitize-threads:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(TEST_PACKAGES)"
	@$(MAKE) --no-print-directory -s sharing BUILD=$(BUILD)/threads \
	    CFLAGS="-O1 -g -fsanitize=thread"

sharing: $(BUILD)/glassbox $(SHARING)
	@GLASSBOX_TEST_ALL=1 BUILD=$(BUILD) LIMIT=1200 tests/run.sh $(SHARING)

# Run the parsers under libFuzzer, one after the other (with -j2 two at a time). Inputs
# that crash are saved in $(BUILD)/fuzz/findings, those that reach new code in
# $(BUILD)/fuzz/corpus.
T ?= 60
fuzz:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(LINT_PACKAGES)"
	@$(MAKE) --no-print-directory -s -k campaigns BUILD=$(BUILD)/fuzz CC=clang FUZZ_MAIN= \
	    LDFLAGS=-fsanitize=fuzzer CFLAGS="-O1 -g -fno-omit-frame-pointer \
	    -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	    -fno-sanitize-recover=all"

campaigns: $(patsubst $(BUILD)/tests/fuzz/fuzz_%,campaign-%,$(FUZZERS))
campaign-%: $(BUILD)/tests/fuzz/fuzz_%
	@tests/fuzz/campaign.sh $< $(BUILD) $(T)

# Threads count lines atomically, from 0 in each run. test_faults.py is left out, because
# the failing calls would also affect the writing of the counts.
coverage:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(COVERAGE_PACKAGES)"
	@mkdir -p $(BUILD)/coverage && find $(BUILD)/coverage -name '*.gcda' -delete
	-@GLASSBOX_TEST_ALL=1 $(MAKE) --no-print-directory -s test BUILD=$(BUILD)/coverage \
	    SCRIPTS="$(filter-out tests/hazards/test_faults.py,$(SCRIPTS))" \
	    CFLAGS="-O1 -g --coverage -fprofile-update=atomic"
	@tests/coverage.sh $(BUILD)/coverage

bench: $(BUILD)/glassbox $(BENCHES)
	@for bench in $(BENCHES); do $$bench $(BUILD)/glassbox || exit 1; done
	@python3 tests/bench/bench_screen.py $(BUILD)/glassbox
	@/usr/bin/python3 tests/bench/bench_stop.py $(BUILD)/glassbox

# Check that the benchmarks, the fuzzers and the recipes run, each for a moment.
smoke:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(LINT_PACKAGES)"
	@$(MAKE) --no-print-directory -s -j$$(nproc) all $(BENCHES)
	@SMOKE=1 $(MAKE) --no-print-directory -s bench
	@for model in $(MODELS); do \
	    $(BUILD)/glassbox train assets/recipes/$$model.json --force --set steps=1 \
	        --set data=assets/models/$$model/held-out.tsv --set validation= \
	        --set output=$(BUILD)/smoke/$$model || exit 1; \
	done
	@$(MAKE) --no-print-directory -s -j$$(nproc) fuzz T=1

# The grammars generate the sentences, the seeds determine the weights. held-out.tsv in
# the folder of each model contains test sentences that are not in its training. Each
# training uses one thread, so run two at a time.
MODELS = passive ko-en en-ko seq2seq-ko-en chatbot classifier stories
DATA   = $(BUILD)/data
models: all
	@$(MAKE) --no-print-directory sentences
	@$(MAKE) --no-print-directory -j2 $(MODELS:%=model-%)

sentences:
	$(BUILD)/glassbox grammar assets/grammar/passive.json -o $(DATA)/passive --force
	$(BUILD)/glassbox grammar assets/grammar/korean-english.json -o $(DATA)/ko-en --force
	$(BUILD)/glassbox grammar assets/grammar/english-korean.json -o $(DATA)/en-ko --force
	$(BUILD)/glassbox grammar assets/grammar/chatbot.json -o $(DATA)/chatbot --force
	$(BUILD)/glassbox grammar assets/grammar/classifier.json -o $(DATA)/classifier --force
	$(BUILD)/glassbox grammar assets/grammar/stories.json -o $(DATA)/stories --force
	for file in training validation; do for model in passive ko-en en-ko chatbot classifier; do \
	    awk -F'\t' 'NR == FNR {asked[$$1]; next} !($$1 in asked)' \
	        tests/models/everyday/$$model.tsv $(DATA)/$$model/$$file.tsv > $(DATA)/kept && \
	    mv $(DATA)/kept $(DATA)/$$model/$$file.tsv || exit 1; \
	done; done
	rm -rf $(DATA)/seq2seq-ko-en && cp -r $(DATA)/ko-en $(DATA)/seq2seq-ko-en

model-%:
	$(BUILD)/glassbox train assets/recipes/$*.json --force
	mkdir -p assets/models/$*
	cp $(BUILD)/models/$*/*.json $(BUILD)/models/$*/*merges.txt \
	    $(BUILD)/models/$*/words.txt $(BUILD)/models/$*/model.safetensors \
	    assets/models/$*
	cp $(DATA)/$*/test.tsv assets/models/$*/held-out.tsv

# ZSH: the shell, and where its completions are; the package of Debian has another place.
ZSH = zsh/zsh/site-functions
install: all
	install -D $(BUILD)/glassbox "$(DESTDIR)$(PREFIX)/bin/glassbox"
	$(BUILD)/glassbox help --man --language en > $(BUILD)/glassbox.1
	install -D -m 644 $(BUILD)/glassbox.1 "$(DESTDIR)$(PREFIX)/share/man/man1/glassbox.1"
	for po in assets/language/*.po; do language=$$(basename $$po .po); \
	    $(BUILD)/glassbox help --man --language $$language > $(BUILD)/glassbox.1 && \
	    install -D -m 644 $(BUILD)/glassbox.1 \
	        "$(DESTDIR)$(PREFIX)/share/man/$$language/man1/glassbox.1" || exit 1; \
	done
	for file in bash/bash-completion/completions/glassbox $(ZSH)/_glassbox \
	    fish/fish/vendor_completions.d/glassbox.fish; do \
	    $(BUILD)/glassbox help --completion $${file%%/*} --language en > $(BUILD)/completion && \
	    install -D -m 644 $(BUILD)/completion \
	        "$(DESTDIR)$(PREFIX)/share/$${file#*/}" || exit 1; \
	done
	cd $(BUILD) && find locale -name '*.mo' -exec \
	    install -D -m 644 {} "$(DESTDIR)$(PREFIX)/share/{}" \;
	cd assets && find models recipes grammar -type f -exec \
	    install -D -m 644 {} "$(DESTDIR)$(PREFIX)/share/glassbox/{}" \;
	[ ! -d lessons ] || find lessons -type f -exec \
	    install -D -m 644 {} "$(DESTDIR)$(PREFIX)/share/glassbox/{}" \;

# Debian's own tools build a copy of the sources, where their folder is called debian.
DEB = $(BUILD)/deb/glassbox
deb:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(DEB_PACKAGES)"
	@rm -rf $(BUILD)/deb && mkdir -p $(DEB)
	@cp -r src lessons assets tests Makefile README.md LICENSE .github $(DEB)
	@cp -r .debian $(DEB)/debian
	@cd $(DEB) && DEB_BUILD_OPTIONS="parallel=$$(nproc) $(DEB_BUILD_OPTIONS)" \
	    dpkg-buildpackage --build=binary --no-sign > ../log 2>&1 || { tail -n 40 ../log; exit 1; }
	@lintian --allow-root --fail-on error $(BUILD)/deb/*.changes
	@rm -r $(DEB) && ls -l $(BUILD)/deb/*.deb

arm64:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(ARM64_PACKAGES)"
	@LIBRARIES="$(ARM64_LIBRARIES)" tests/arm64.sh $(BUILD)

musl:
	@$(MAKE) --no-print-directory -s deps PACKAGES="$(MUSL_PACKAGES)"
	@tests/musl.sh $(BUILD)

# Without dpkg-query, as on other systems, list the packages. Never ask for a password:
# print the command for the administrator instead.
deps:
	@command -v dpkg-query > /dev/null || { \
	    echo "This system has no dpkg-query, so nothing is installed here. What is" \
	         "needed, by its names in Debian: $(PACKAGES)"; exit 0; }; \
	present=" $$(dpkg-query -W -f '$${Package} $${Status}\n' $(PACKAGES) 2> /dev/null | \
	    sed -n 's/ install ok installed$$//p' | tr '\n' ' ')"; \
	missing=$$(for package in $(PACKAGES); do \
	    case "$$present" in *" $$package "*) ;; *) echo $$package ;; esac; done); \
	[ -n "$$missing" ] || exit 0; \
	root=; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
	if ! command -v apt-get > /dev/null || ! $$root true 2> /dev/null; then \
	    echo "These packages are missing, and only the administrator may install them;" \
	         "nothing was changed. Type as administrator, then start make again:" >&2; \
	    echo "    apt-get install --no-install-recommends" $$missing >&2; \
	    exit 1; \
	fi; \
	echo "These packages are missing and are installed now, by apt-get:" $$missing; \
	$$root apt-get update -qq; \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	    --no-install-recommends $$missing > /dev/null

clean:
	rm -rf $(BUILD)

.PHONY: all run test test-all test-slow record pictures built-tests lint linted sanitize sanitize-threads sharing fuzz campaigns coverage bench smoke language models sentences install deb arm64 musl deps clean
.SECONDARY:
