package human

import (
	"strings"
	"testing"
)

func TestTechniquesHaveNamesThatCanBeRead(t *testing.T) {
	names := map[string]Technique{}
	for _, technique := range Techniques() {
		name := technique.String()
		if other, ok := names[plain(name)]; ok || name == "" {
			t.Errorf("%d and %d are both called %q", technique, other, name)
		}
		names[plain(name)] = technique
		for _, written := range []string{name, strings.ToUpper(name), strings.ReplaceAll(strings.ToLower(name), " ", "-")} {
			if got, err := ParseTechnique(written); err != nil || got != technique {
				t.Errorf("%q is read as %v, %v", written, got, err)
			}
		}
	}
	if _, err := ParseTechnique("x-wnig"); err == nil || err.Error() != `"x-wnig" is not a technique: did you mean "X-Wing"?` {
		t.Errorf("got %v", err)
	}
}

// TestCatalogueIsComplete looks for what each technique needs.
func TestCatalogueIsComplete(t *testing.T) {
	for _, technique := range Techniques() {
		if e := catalogue[technique]; e.rating < 10 || e.score == 0 || e.find == nil || e.reason == nil {
			t.Errorf("%v: %+v", technique, e)
		}
	}
	for i, technique := range Order() {
		if Technique(i) != technique {
			t.Errorf("%v is in place %d of the order", technique, i)
		}
	}
}
