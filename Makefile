# make            build build/glassbox
# make run        install what is missing, build, start
# make test       build and run every test
# make lint       layout, names, layers
# make sanitize   the tests under the address and undefined-behaviour sanitizers
# make bench      speed, against this machine's limits
# make install    program, man page, assets, completion below PREFIX
# make clean      remove what was built

BUILD    ?= build
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
PACKAGES  = cairo pangocairo libpng openblas libutf8proc jansson readline zlib
WARNINGS  = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wundef -Wvla -Wformat=2
FLAGS     = -std=c17 -D_GNU_SOURCE -Isrc $(WARNINGS) $(DEFINES) \
            $(patsubst -I%,-isystem%,$(shell pkg-config --cflags-only-I $(PACKAGES)))
LIBS      = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread

SOURCES   = $(filter-out src/main.c,$(wildcard src/*/*.c))
OBJECTS   = $(SOURCES:%.c=$(BUILD)/%.o)
TESTS     = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

all: $(BUILD)/glassbox

$(BUILD)/glassbox: $(BUILD)/src/main.o $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -lcmocka -o $@

# The element loops are written to be vectorised; see src/ops/clones.h.
$(BUILD)/src/ops/kernels.o $(BUILD)/src/ops/kernels_rows.o: FLAGS += -O3 -fopenmp-simd -fno-math-errno -fno-trapping-math

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

test: $(TESTS)
	@for test in $(TESTS); do $$test || exit 1; done

clean:
	rm -rf $(BUILD)

.PHONY: all test clean
.SECONDARY:
