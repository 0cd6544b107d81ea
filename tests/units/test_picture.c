/* Figures as files: their contents, and leftovers if they cannot be written. */
#include <dirent.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "canvas/picture.h"
#include "figure/figure.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

enum { LIMIT = 1 << 26 };

static Arena arena;
static Error error;         /* of the last failure */
static const char *warning; /* of the last figure */
static char folder[] = "/tmp/test_picture.XXXXXX";

static const Fact facts[] = {{"sentence", "나는 학생 <&>"}, {"seed", "7"}};
static const char *const endings[] = {".png", ".svg", ".pdf", ".tex", ".txt"};

/* Scores [query, key], some masked, in a figure. */
static Figure scores(void) {
    static const char *const query[] = {"나는", "학생"};
    static const char *const key[] = {"I", "am", "<end>"};
    static const Number number[] = {-1, 0.5F, 2, -INFINITY, NAN, 1};
    Axis axis[] = {{.name = "query", .size = 2, .labels = query, .label_rows = 1},
                   {.name = "key", .size = 3, .labels = key, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "decoder.0.self_attention.masked", 2, axis);
    memcpy(tensor->data, number, sizeof number);
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    *slice = slice_all(tensor);
    return (Figure){.slice = slice, .slices = 1, .fact = facts, .facts = 2};
}

static const char *path_of(const char *name) {
    return file_join(&arena, folder, name);
}

/* Save a figure as `name`, and return its bytes. */
static Bytes saved(const Figure *figure, const char *name) {
    Bytes bytes = {0};
    if (!figure_save(figure, path_of(name), true, &arena, &warning, &error))
        fail_msg("%s", error.message);
    if (warning) fail_msg("%s", warning);
    assert_true(file_read(path_of(name), LIMIT, &arena, &bytes, &error));
    unlink(path_of(name));
    return bytes;
}

static bool holds(Bytes bytes, const char *text) {
    return memmem(bytes.bytes, bytes.size, text, strlen(text)) != NULL;
}

static int files_in_folder(void) {
    DIR *directory = opendir(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static unsigned big_endian(const unsigned char *byte) {
    return (unsigned)byte[0] << 24 | (unsigned)byte[1] << 16 | (unsigned)byte[2] << 8 |
           byte[3];
}

/* Return the text of the iTXt chunk with that keyword, or NULL. */
static const char *text_chunk(Bytes bytes, const char *keyword) {
    const unsigned char *chunk = (const unsigned char *)bytes.bytes + 8;
    const unsigned char *end = (const unsigned char *)bytes.bytes + bytes.size;
    for (unsigned size; chunk + 12 <= end; chunk += 12 + size) {
        size = big_endian(chunk);
        const char *data = (const char *)chunk + 8;
        if (memcmp(chunk + 4, "iTXt", 4) != 0 || strcmp(data, keyword) != 0) continue;
        /* The keyword, two bytes about compression, a language and a translated
         * keyword. */
        size_t before = strlen(keyword) + 1 + 2 + 1 + 1;
        return arena_copy(&arena, data + before, size - before);
    }
    return NULL;
}

static void png_carries_title_and_facts(void **state) {
    (void)state;
    Figure figure = scores();
    Bytes png = saved(&figure, "a.png");
    assert_string_equal(text_chunk(png, "Title"), "decoder.0.self_attention.masked");
    assert_string_equal(text_chunk(png, "sentence"), "나는 학생 <&>");
    assert_string_equal(text_chunk(png, "seed"), "7");
    assert_null(text_chunk(png, "model"));
}

static void svg_carries_title_and_facts(void **state) {
    (void)state;
    Figure figure = scores();
    figure.title = "a < b";
    Bytes svg = saved(&figure, "a.svg");
    assert_true(holds(svg, "<title>a &lt; b</title>"));
    assert_true(holds(svg, "<fact name=\"sentence\">나는 학생 &lt;&amp;&gt;</fact>"));
    assert_memory_equal(svg.bytes + svg.size - 7, "</svg>\n", 7);
}

static void pdf_carries_the_title_and_no_date(void **state) {
    (void)state;
    Figure figure = scores();
    figure.title = "plain";
    Bytes pdf = saved(&figure, "a.pdf");
    assert_true(holds(pdf, "/Title (plain)"));
    assert_true(holds(pdf, "/Subject"));
    assert_false(holds(pdf, "CreationDate"));
}

static void same_figure_is_the_same_file(void **state) {
    (void)state;
    Figure figure = scores();
    for (int i = 0; i < 4; i++) {
        const char *name = arena_print(&arena, "same%s", endings[i]);
        Bytes first = saved(&figure, name);
        Bytes second = saved(&figure, name);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.bytes, second.bytes, first.size);
    }
}

/* The pixels of a PNG as bytes of red, green and blue. */
static unsigned char *pixels_of(Bytes bytes, int *count) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes.bytes, bytes.size));
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = arena_take(&arena, PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    *count = (int)(image.width * image.height);
    return pixels;
}

static int pixels_like(const Figure *figure, int red, int green, int blue) {
    int count;
    int like = 0;
    const unsigned char *pixel = pixels_of(saved(figure, "pixels.png"), &count);
    for (int i = 0; i < count; i++, pixel += 3)
        like += pixel[0] == red && pixel[1] == green && pixel[2] == blue;
    return like;
}

static void png_colours_values_and_hatches_the_rest(void **state) {
    (void)state;
    Figure figure = scores();
    figure.annotate = ANNOTATE_NEVER;
    /* 2, the end of the scale, is the last color of the palette, nearly a whole
     * cell. */
    assert_in_range(pixels_like(&figure, 0x6B, 0x12, 0x20), 900, 2000);
    assert_in_range(pixels_like(&figure, 238, 238, 238), 500, 5000);
    figure.slice->tensor->data[3] = 0;
    figure.slice->tensor->data[4] = 0;
    assert_in_range(pixels_like(&figure, 238, 238, 238), 0, 100); /* in letters */
}

/* From the pHYs chunk; 0 without one. */
static unsigned pixels_per_metre(Bytes bytes) {
    const char *chunk = memmem(bytes.bytes, bytes.size, "pHYs", 4);
    return chunk ? big_endian((const unsigned char *)chunk + 4) : 0;
}

/* Return the number of pixel columns up to the last one that is not paper. */
static int inked_columns(const Pixels *pixels) {
    int last = -1;
    for (int y = 0; y < pixels->height; y++) {
        const uint32_t *row =
            (const uint32_t *)(const void *)(pixels->bytes + y * pixels->stride);
        for (int x = 0; x < pixels->width; x++)
            if ((row[x] & 0xFFFFFF) != 0xFFFFFF && x > last) last = x;
    }
    return last + 1;
}

static void a_text_takes_the_room_that_it_measures(void **state) {
    (void)state;
    static const char *const texts[] = {"friend", "만났다", "0.25 만났다 friend"};
    for (int t = 0; t < 3; t++) {
        Canvas *canvas = image_new(&arena, IMAGE_PNG, &(PictureOptions){0});
        assert_true(canvas->begin(canvas, 400, 40, &error));
        canvas->text(canvas, (Point){10, 20}, (Style){.size = 1}, texts[t]);
        double room = canvas->measure(canvas, (Style){.size = 1}, texts[t]);
        const Pixels pixels = image_pixels(canvas);
        assert_in_range(inked_columns(&pixels) - 10, (int)room - 4, (int)room + 2);
        picture_close(canvas);
    }
}

static void each_kind_of_file_has_its_end(void **state) {
    (void)state;
    static const struct {
        const char *name, *end;
        size_t bytes;
    } kinds[] = {{"end.png", "IEND\xAE\x42\x60\x82", 8},
                 {"end.svg", "</svg>\n", 7},
                 {"end.pdf", "%%EOF\n", 6}};
    Figure figure = scores();
    for (int k = 0; k < 3; k++) {
        Bytes bytes = saved(&figure, kinds[k].name);
        assert_memory_equal(bytes.bytes + bytes.size - kinds[k].bytes, kinds[k].end,
                            kinds[k].bytes);
    }
}

static void png_size_follows_the_requested_pixels(void **state) {
    (void)state;
    Figure figure = scores();
    Bytes once = saved(&figure, "a.png");
    figure.pixels = 2;
    Bytes twice = saved(&figure, "b.png");
    const unsigned char *small = (const unsigned char *)once.bytes + 16;
    const unsigned char *large = (const unsigned char *)twice.bytes + 16;
    assert_int_equal(2 * big_endian(small), big_endian(large));
    assert_int_equal(2 * big_endian(small + 4), big_endian(large + 4));
    assert_in_range(big_endian(small), 300, 800);
    assert_int_equal(pixels_per_metre(once), 3780);
    assert_int_equal(pixels_per_metre(twice), 7559); /* 192 per inch */
}

static void too_large_a_picture_is_refused(void **state) {
    (void)state;
    Figure figure = scores();
    figure.pixels = 100;
    assert_false(
        figure_save(&figure, path_of("a.png"), false, &arena, &warning, &error));
    assert_non_null(strstr(error.message, "the limit is 32767 per side"));
    assert_int_equal(files_in_folder(), 0);
}

static void unknown_ending_lists_the_known(void **state) {
    (void)state;
    Figure figure = scores();
    static const char *const names[] = {"a.jpg", "a", ".png", "png"};
    for (int i = 0; i < 4; i++) {
        assert_false(figure_save(&figure, names[i], false, &arena, &warning, &error));
        assert_non_null(
            strstr(error.message, "one of .png, .svg, .pdf, .tex, .apng, .txt"));
    }
    assert_true(holds(saved(&figure, "A.SVG"), "<svg"));
}

static void failure_leaves_nothing(void **state) {
    (void)state;
    Figure figure = scores();
    for (int i = 0; i < 4; i++) {
        const char *nowhere = path_of(arena_print(&arena, "no folder/a%s", endings[i]));
        assert_false(figure_save(&figure, nowhere, true, &arena, &warning, &error));
        assert_non_null(strstr(error.message, nowhere));
        /* A disk that is full. */
        const char *full = path_of(arena_print(&arena, "full%s", endings[i]));
        assert_int_equal(symlink("/dev/full", full), 0);
        assert_false(figure_save(&figure, full, true, &arena, &warning, &error));
        unlink(full);
    }
    assert_int_equal(files_in_folder(), 0);
}

static void file_that_exists_stays_unless_replaced(void **state) {
    (void)state;
    Figure figure = scores();
    for (int i = 0; i < 4; i++) {
        const char *path = path_of(arena_print(&arena, "old%s", endings[i]));
        Bytes bytes;
        assert_true(file_save(path, "old", 3, false, &error));
        assert_false(figure_save(&figure, path, false, &arena, &warning, &error));
        assert_non_null(strstr(error.message, "already exists"));
        assert_true(file_read(path, LIMIT, &arena, &bytes, &error));
        assert_string_equal(bytes.bytes, "old");
        assert_true(figure_save(&figure, path, true, &arena, &warning, &error));
        assert_true(file_read(path, LIMIT, &arena, &bytes, &error));
        assert_true(bytes.size > 100);
        unlink(path);
    }
    assert_int_equal(files_in_folder(), 0);
}

/* In a separate process, since fontconfig reads its configuration once. */
static int draw_without_hangul(void) {
    static const char configuration[] =
        "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">"
        "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir></fontconfig>";
    Figure figure = scores();
    figure.facts = 0;
    const char *path = path_of("fonts.conf");
    if (!file_save(path, configuration, sizeof configuration - 1, true, &error))
        return 1;
    setenv("FONTCONFIG_FILE", path, 1);
    const char *picture = path_of("a.png");
    bool done = figure_save(&figure, picture, true, &arena, &warning, &error);
    unlink(path);
    unlink(picture);
    if (!done || !warning) return 2;
    return strstr(warning, "4 letters") && strstr(warning, "fonts-nanum") ? 0 : 3;
}

/* Runs before any other picture of this process. */
static void missing_letters_are_counted_in_a_warning(void **state) {
    (void)state;
    if (access("/usr/share/fonts/truetype/dejavu", R_OK) != 0) skip();
    pid_t child = fork();
    if (child == 0) _exit(draw_without_hangul());
    int status = -1;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(files_in_folder(), 0);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    arena_free(&arena);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_letters_are_counted_in_a_warning),
        cmocka_unit_test(png_carries_title_and_facts),
        cmocka_unit_test(svg_carries_title_and_facts),
        cmocka_unit_test(pdf_carries_the_title_and_no_date),
        cmocka_unit_test(same_figure_is_the_same_file),
        cmocka_unit_test(png_colours_values_and_hatches_the_rest),
        cmocka_unit_test(a_text_takes_the_room_that_it_measures),
        cmocka_unit_test(each_kind_of_file_has_its_end),
        cmocka_unit_test(png_size_follows_the_requested_pixels),
        cmocka_unit_test(too_large_a_picture_is_refused),
        cmocka_unit_test(unknown_ending_lists_the_known),
        cmocka_unit_test(failure_leaves_nothing),
        cmocka_unit_test(file_that_exists_stays_unless_replaced),
    };
    return cmocka_run_group_tests_name("picture", tests, make_folder, remove_folder);
}
