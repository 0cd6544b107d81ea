"""The libraries for matrices and drawing are loaded on demand; BLAS is told which processor to
use."""

import os
import subprocess
import unittest

from program import PROGRAM, ProgramTest, prompt, read, run, write

FEATURES = next((line.split() for line in read("/proc/cpuinfo").decode().split("\n")
                 if line.startswith("flags")), [])
AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}


class Blas(ProgramTest):
    def libraries(self):
        """Search here for libraries, and for noise.so if requested."""
        return f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"

    def described(self, **environment):
        found = run("version", "--verbose", **environment)
        self.assert_done(found)
        self.assertIn("matrix products: OpenBLAS", found.out)
        return found.out

    @unittest.skipUnless("avx2" in FEATURES and "OPENBLAS_CORETYPE" not in os.environ,
                         "OpenBLAS or the environment chooses")
    def test_the_kernel_is_the_one_that_the_processor_allows(self):
        allowed = "SkylakeX" if AVX512 <= set(FEATURES) else "(Haswell|Zen)"
        self.assertRegex(self.described(), rf"kernel: {allowed} \(the processor has AVX")

    @unittest.skipUnless("avx2" in FEATURES, "the kernel of an old processor")
    def test_the_environment_wins(self):
        self.assertIn("kernel: Haswell (OPENBLAS_CORETYPE says so)",
                      self.described(OPENBLAS_CORETYPE="Haswell"))

    def test_the_program_starts_without_them(self):
        self.assertNotRegex(subprocess.run(
            ["ldd", PROGRAM], check=True, capture_output=True, text=True).stdout,
            "openblas|cairo|pango|glib|fontconfig")

    def test_a_library_that_cannot_be_loaded_is_named_in_one_sentence(self):
        write(self.path("libopenblas.so.0"), "no library\n")
        parts = ("OpenBLAS", "libopenblas.so.0", "the package libopenblas0")
        for words in (["generate", "--source", "a"], ["version", "--verbose"]):
            self.assert_says(run(*words, LD_LIBRARY_PATH=self.libraries()), *parts)

    def test_the_prompt_outlives_a_library_that_cannot_be_loaded(self):
        write(self.path("libopenblas.so.0"), "no library\n")
        found = prompt("a", ":help", LD_LIBRARY_PATH=self.libraries())
        self.assertIn("the package libopenblas0", found.err)
        self.assertIn(":why", found.out)

    def test_without_drawing_libraries_everything_else_works(self):
        write(self.path("libpangocairo-1.0.so.0"), "no library\n")
        lines = (":draw weights -o a.png", ":page -o a.html", ":draw weights -o a.tex",
                 ":draw weights -o a.txt", ":why")
        found = prompt("a", *lines, LD_LIBRARY_PATH=self.libraries(), folder=self.folder)
        self.assertEqual(found.err.count("the package libpangocairo-1.0-0"), 3, found.err)
        self.assertIn("wrote a.txt", found.out)
        self.assertIn("the value of the cell is", found.out)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.txt", "libpangocairo-1.0.so.0"])


if __name__ == "__main__":
    unittest.main()
