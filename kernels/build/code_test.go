package main

import "testing"

// What a compiler does not see is no code, and all that it sees is.
func TestCode(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"int a; // b\n", "int a;\n"},
		{"// one\n\n  // two\r\nint a;\r\n", "int a;\n"},
		{"int/* of\nall */a;", "int a;\n"},
		{"f(\"// no\", '\"'); // yes\n", "f(\"// no\", '\"');\n"},
		{"c = '\\''; /* it's */ d\n", "c = '\\'';   d\n"},
		{"s = \"a\\\"/*\"; b */\n", "s = \"a\\\"/*\"; b */\n"},
		{"#define A \\\n\t1 // one\n", "#define A \\\n1\n"},
		{"a /* never ends", "a\n"},
		{"\"open\nb // c", "\"open\nb\n"},
		{"1'000 // a\n", "1'000 // a\n"},
		{"a = b / c;\n", "a = b / c;\n"},
		{"", ""},
	} {
		if got := string(code([]byte(c[0]))); got != c[1] {
			t.Errorf("of %q the code is %q, want %q", c[0], got, c[1])
		}
	}
}
