package check

import "testing"

func TestQuantity(t *testing.T) {
	for _, tt := range []struct {
		r    report
		want string
	}{
		{report{charts: 1}, "1 chart checked, nothing to report"},
		{report{charts: 3, odd: 2, errors: 1, warnings: 2}, "1 error and 2 warnings in 2 of 3 charts"},
		{report{charts: 1, odd: 1, warnings: 1}, "1 warning in 1 chart"},
	} {
		if got := tt.r.summary(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestLocate(t *testing.T) {
	for file, want := range map[string]string{
		"a.scxml":          "a.scxml",
		"a b/ü%.scxml":     "a%20b/%C3%BC%25.scxml",
		"/charts/a.scxml":  "file:///charts/a.scxml",
		"../a.scxml":       "../a.scxml",
		"a:b.scxml":        "./a:b.scxml",
		"charts/a#1.scxml": "charts/a%231.scxml",
	} {
		if got := locate(file, 1, 1).Physical.Artifact.URI; got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}
