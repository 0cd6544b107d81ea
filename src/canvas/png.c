#include "canvas/png.h"

#include <math.h>
#include <png.h>
#include <string.h>
#include <zlib.h>

#include "base/interrupt.h"

/* Pixels of 1/96 inch: the size of a picture in a document, whatever its density. */
static const double per_metre = 96 / 0.0254;

/* Milliseconds, so that a delay is a whole number of them. */
enum { PER_SECOND = 1000, DELAY_MAX = 65535, WORD = 4 };

typedef struct {
    PngSink *sink;
    void *context;
} Target;

static void give(png_structp png, png_bytep bytes, size_t count) {
    const Target *target = png_get_io_ptr(png);
    if (!target->sink(target->context, bytes, count)) png_error(png, "refused");
}

static void flush(png_structp png) {
    (void)png;
}

static void take_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message; /* the caller reports its own message */
}

static const unsigned char *row_of(const Pixels *pixels, int y) {
    return pixels->bytes + (size_t)y * (size_t)pixels->stride;
}

/* Write `count` pixels of row `y`, starting at `from`, to `to` in PNG format, with
 * colors that are not premultiplied by alpha. */
static void pack_row(const Pixels *pixels, int y, int from, int count,
                     unsigned char *to) {
    for (int x = from; x < from + count; x++) {
        unsigned pixel;
        memcpy(&pixel, row_of(pixels, y) + (size_t)x * WORD, sizeof pixel);
        unsigned alpha = pixels->has_alpha ? pixel >> 24 : 255;
        for (int shift = 16; shift >= 0; shift -= 8) {
            unsigned value = pixel >> shift & 255;
            if (alpha < 255) value = alpha ? (value * 255 + alpha / 2) / alpha : 0;
            *to++ = (unsigned char)value;
        }
        if (pixels->has_alpha) *to++ = (unsigned char)alpha;
    }
}

static void write_chunks(png_structp png, const PngChunk *chunk, int count) {
    for (int c = 0; c < count; c++)
        png_write_chunk(png, (png_const_bytep)chunk[c].name, chunk[c].bytes,
                        chunk[c].count);
}

bool png_write(const Pixels *pixels, const Facts *facts, const PngChunks *chunks,
               PngSink *sink, void *context, Arena *arena) {
    Target target = {sink, context};
    png_text *texts = ARENA_ARRAY(arena, png_text, facts->count + 1);
    for (int i = 0; i <= facts->count; i++) {
        Fact one = i < facts->count ? facts->fact[i] : (Fact){"Title", facts->title};
        texts[i] = (png_text){.compression = PNG_ITXT_COMPRESSION_NONE,
                              .key = arena_copy(arena, one.name, strlen(one.name)),
                              .text = arena_copy(arena, one.value, strlen(one.value))};
    }
    unsigned char *row = arena_take(arena, (size_t)pixels->width * WORD);
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, take_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    /* A failed libpng call jumps here; no variable is changed in between. */
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, &target, give, flush);
    png_set_IHDR(png, info, (unsigned)pixels->width, (unsigned)pixels->height, 8,
                 pixels->has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    /* Cells are runs of one color, which the fastest level compresses well without a
     * filter. zlib's run-length strategy compares with the previous byte and misses
     * pixels of three bytes. */
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    unsigned resolution = (unsigned)round(per_metre * pixels->density);
    png_set_pHYs(png, info, resolution, resolution, PNG_RESOLUTION_METER);
    png_set_text(png, info, texts, facts->count + 1);
    png_write_info(png, info);
    if (chunks) write_chunks(png, chunks->before, chunks->befores);
    for (int y = 0; y < pixels->height; y++) {
        if (interrupt_signal()) png_error(png, "stopped");
        pack_row(pixels, y, 0, pixels->width, row);
        png_write_row(png, row);
    }
    if (chunks) write_chunks(png, chunks->after, chunks->behinds);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

/* A rectangle of pixels; right and bottom are exclusive. */
typedef struct {
    int left, top, right, bottom;
} Part;

static unsigned char *put(unsigned char *to, unsigned value, int bytes) {
    for (int b = bytes - 1; b >= 0; b--) *to++ = (unsigned char)(value >> 8 * b);
    return to;
}

static void add_chunk(Apng *apng, const char *name, const unsigned char *bytes,
                      size_t count) {
    ARENA_GROW(apng->arena, apng->chunk, apng->chunks, apng->capacity);
    apng->chunk[apng->chunks++] = (PngChunk){name, bytes, count};
}

static unsigned char *shown_row(const Apng *apng, int y) {
    return apng->shown + (size_t)y * (size_t)apng->width * WORD;
}

/* Are the `count` pixels from column `x` unchanged in the rows `top` to `bottom`? */
static bool is_same(const Apng *apng, const Pixels *pixels, int x, int count, int top,
                    int bottom) {
    for (int y = top; y < bottom; y++)
        if (memcmp(shown_row(apng, y) + x * WORD, row_of(pixels, y) + x * WORD,
                   (size_t)count * WORD) != 0)
            return false;
    return true;
}

/* Return where the frame differs from the one before; one pixel if it does not. */
static Part changed_part(const Apng *apng, const Pixels *pixels) {
    int width = pixels->width;
    Part part = {0, 0, width, pixels->height};
    if (!apng->frames) return part;
    while (part.top + 1 < part.bottom &&
           is_same(apng, pixels, 0, width, part.top, part.top + 1))
        part.top++;
    while (part.bottom - 1 > part.top &&
           is_same(apng, pixels, 0, width, part.bottom - 1, part.bottom))
        part.bottom--;
    while (part.left + 1 < part.right &&
           is_same(apng, pixels, part.left, 1, part.top, part.bottom))
        part.left++;
    while (part.right - 1 > part.left &&
           is_same(apng, pixels, part.right - 1, 1, part.top, part.bottom))
        part.right--;
    return part;
}

/* Add the rows of the part, each after a 0: no filter. */
static bool add_data(Apng *apng, const Pixels *pixels, const Part *part, Error *error) {
    enum { NUMBERED = 4, LEVEL = 6 };
    Arena packed = {0};
    size_t row =
        1 + (size_t)(part->right - part->left) * (size_t)(pixels->has_alpha ? 4 : 3);
    size_t size = row * (size_t)(part->bottom - part->top);
    unsigned char *raw = arena_take(&packed, size);
    for (int y = part->top; y < part->bottom; y++) {
        unsigned char *to = raw + row * (size_t)(y - part->top);
        *to = 0;
        pack_row(pixels, y, part->left, part->right - part->left, to + 1);
    }
    uLongf count = compressBound((uLong)size);
    unsigned char *bytes = arena_take(&packed, NUMBERED + count);
    bool done = compress2(bytes + NUMBERED, &count, raw, (uLong)size, LEVEL) == Z_OK;
    if (done) {
        put(bytes, apng->sequence++, NUMBERED);
        unsigned char *kept = arena_take(apng->arena, NUMBERED + count);
        memcpy(kept, bytes, NUMBERED + count);
        add_chunk(apng, "fdAT", kept, NUMBERED + count);
    }
    arena_free(&packed);
    return done || fail(error, "a frame cannot be compressed");
}

bool apng_add(Apng *apng, const Pixels *pixels, double seconds, Error *error) {
    if (apng->frames &&
        (pixels->width != apng->width || pixels->height != apng->height))
        return fail(error,
                    "frame %u has %d x %d pixels, but those before it have %d x %d; "
                    "all frames must have the same size",
                    apng->frames, pixels->width, pixels->height, apng->width,
                    apng->height);
    const Part part = changed_part(apng, pixels);
    enum { COUNT = 26, KEEP = 0, REPLACE = 0 };
    unsigned char *bytes = arena_take(apng->arena, COUNT);
    unsigned delay = (unsigned)fmin(round(seconds * PER_SECOND), DELAY_MAX);
    unsigned char *to = put(bytes, apng->sequence++, 4);
    to = put(to, (unsigned)(part.right - part.left), 4);
    to = put(to, (unsigned)(part.bottom - part.top), 4);
    to = put(to, (unsigned)part.left, 4);
    to = put(to, (unsigned)part.top, 4);
    to = put(to, delay, 2);
    to = put(to, PER_SECOND, 2);
    to = put(to, KEEP, 1);
    put(to, REPLACE, 1);
    add_chunk(apng, "fcTL", bytes, COUNT);
    if (!add_data(apng, pixels, &part, error)) return false;
    apng->width = pixels->width;
    apng->height = pixels->height;
    size_t row = (size_t)pixels->width * WORD;
    if (!apng->shown)
        apng->shown = arena_take(apng->arena, row * (size_t)pixels->height);
    for (int y = 0; y < pixels->height; y++)
        memcpy(shown_row(apng, y), row_of(pixels, y), row);
    apng->frames++;
    return true;
}

bool apng_write(const Apng *apng, const Pixels *still, const Facts *facts,
                PngSink *sink, void *context) {
    enum { COUNT = 8, FOREVER = 0 };
    unsigned char bytes[COUNT];
    put(put(bytes, apng->frames, 4), FOREVER, 4);
    const PngChunk control = {"acTL", bytes, COUNT};
    const PngChunks chunks = {.before = &control,
                              .befores = 1,
                              .after = apng->chunk,
                              .behinds = apng->chunks};
    return png_write(still, facts, &chunks, sink, context, apng->arena);
}
