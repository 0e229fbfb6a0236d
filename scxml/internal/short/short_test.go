package short

import "testing"

func TestText(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"", 3, ""}, {"été", 3, "été"}, {"étés", 3, "ét…"}, {"a b c", 3, "a…"}, {"ab", 1, "…"}, {"a\xffb", 3, "a\xffb"},
	} {
		if got := Text(test.text, test.n); got != test.want {
			t.Errorf("%q in %d: got %q, want %q", test.text, test.n, got, test.want)
		}
	}
	if got, want := Line(" a\n  b c ", 4), "a b…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Bytes("aé", 2), "a…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
