package lazy

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// No package compiles a regular expression when a program starts: together they take a tenth of the time
// of "scxmlrun version".
func TestPackagesCompileNothing(t *testing.T) {
	eager := regexp.MustCompile(`(?m)^(var |\t)\w+ += regexp\.MustCompile`)
	seen := 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		text, err := os.ReadFile("../../" + path)
		if at := eager.Find(text); at != nil && !strings.HasPrefix(path, "cmd/internal/clitest/") {
			t.Errorf("%s: %q: want lazy.Regexp", path, at)
		}
		return err
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files, %v", seen, err)
	}
}

func TestRegexp(t *testing.T) {
	if !inTest {
		t.Error("this is not seen to be a test")
	}
	defer func(was bool) { inTest = was }(inTest)
	inTest = false
	wrong := Regexp(`(`) // must not panic here
	mustPanic(t, func() { wrong() })
	inTest = true
	mustPanic(t, func() { Regexp(`(`) })

	digits := Regexp(`^\d+$`)
	if !digits().MatchString("12") || digits().MatchString("x") || digits() != digits() {
		t.Error("the pattern is not that of the one regular expression")
	}
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern did not panic")
		}
	}()
	f()
}
