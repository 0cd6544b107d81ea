#include "view/apng.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

/* A rectangle of pixels; right and bottom lie outside of it. */
typedef struct {
    int left, top, right, bottom;
} Part;

/* Milliseconds, so that a delay is a whole number of them. */
enum { PER_SECOND = 1000, DELAY_MOST = 65535, WORD = 4 };

static unsigned char *put(unsigned char *to, unsigned value, int bytes) {
    for (int b = bytes - 1; b >= 0; b--) *to++ = (unsigned char)(value >> 8 * b);
    return to;
}

static void add_chunk(Apng *apng, const char *name, const unsigned char *bytes,
                      size_t count) {
    ARENA_GROW(apng->arena, apng->chunk, apng->chunks, apng->capacity);
    apng->chunk[apng->chunks++] = (PngChunk){name, bytes, count};
}

static const unsigned char *row_of(const Pixels *pixels, int y) {
    return pixels->bytes + (size_t)y * (size_t)pixels->stride;
}

static unsigned char *shown_row(const Apng *apng, int y) {
    return apng->shown + (size_t)y * (size_t)apng->width * WORD;
}

static bool is_same_column(const Apng *apng, const Pixels *pixels, int x,
                           const Part *part) {
    for (int y = part->top; y < part->bottom; y++)
        if (memcmp(shown_row(apng, y) + x * WORD, row_of(pixels, y) + x * WORD, WORD) !=
            0)
            return false;
    return true;
}

static bool is_same_row(const Apng *apng, const Pixels *pixels, int y) {
    return memcmp(shown_row(apng, y), row_of(pixels, y), (size_t)apng->width * WORD) ==
           0;
}

/* Where the frame differs from the one before; one pixel where it does not. */
static Part changed_part(const Apng *apng, const Pixels *pixels) {
    Part part = {0, 0, pixels->width, pixels->height};
    if (!apng->frames) return part;
    while (part.top + 1 < part.bottom && is_same_row(apng, pixels, part.top))
        part.top++;
    while (part.bottom - 1 > part.top && is_same_row(apng, pixels, part.bottom - 1))
        part.bottom--;
    while (part.left + 1 < part.right && is_same_column(apng, pixels, part.left, &part))
        part.left++;
    while (part.right - 1 > part.left &&
           is_same_column(apng, pixels, part.right - 1, &part))
        part.right--;
    return part;
}

static void add_control(Apng *apng, const Part *part, double seconds) {
    enum { COUNT = 26, KEEP = 0, REPLACE = 0 };
    unsigned char *bytes = arena_take(apng->arena, COUNT);
    unsigned delay = (unsigned)fmin(round(seconds * PER_SECOND), DELAY_MOST);
    unsigned char *to = put(bytes, apng->sequence++, 4);
    to = put(to, (unsigned)(part->right - part->left), 4);
    to = put(to, (unsigned)(part->bottom - part->top), 4);
    to = put(to, (unsigned)part->left, 4);
    to = put(to, (unsigned)part->top, 4);
    to = put(to, delay, 2);
    to = put(to, PER_SECOND, 2);
    to = put(to, KEEP, 1);
    put(to, REPLACE, 1);
    add_chunk(apng, "fcTL", bytes, COUNT);
}

/* The rows of the part, each behind a 0: no filter. */
static bool add_data(Apng *apng, const Pixels *pixels, const Part *part, Error *error) {
    enum { NUMBERED = 4, LEVEL = 6 };
    Arena packed = {0};
    size_t row = 1 + (size_t)(part->right - part->left) * (size_t)png_bytes(pixels);
    size_t size = row * (size_t)(part->bottom - part->top);
    unsigned char *raw = arena_take(&packed, size);
    for (int y = part->top; y < part->bottom; y++) {
        unsigned char *to = raw + row * (size_t)(y - part->top);
        *to = 0;
        png_pack(pixels, y, part->left, part->right - part->left, to + 1);
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

static void keep_shown(Apng *apng, const Pixels *pixels) {
    apng->width = pixels->width;
    apng->height = pixels->height;
    size_t row = (size_t)pixels->width * WORD;
    if (!apng->shown)
        apng->shown = arena_take(apng->arena, row * (size_t)pixels->height);
    for (int y = 0; y < pixels->height; y++)
        memcpy(shown_row(apng, y), row_of(pixels, y), row);
}

bool apng_add(Apng *apng, const Pixels *pixels, double seconds, Error *error) {
    if (apng->frames &&
        (pixels->width != apng->width || pixels->height != apng->height))
        return fail(error,
                    "frame %u has %d x %d pixels, and those before it %d x %d: frames "
                    "must have one size",
                    apng->frames, pixels->width, pixels->height, apng->width,
                    apng->height);
    const Part part = changed_part(apng, pixels);
    add_control(apng, &part, seconds);
    if (!add_data(apng, pixels, &part, error)) return false;
    keep_shown(apng, pixels);
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
                              .behind = apng->chunk,
                              .behinds = apng->chunks};
    return png_write(still, facts, &chunks, sink, context, apng->arena);
}
