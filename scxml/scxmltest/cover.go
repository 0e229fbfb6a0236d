package scxmltest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
)

var (
	coverFile = flag.String("scxmltest.cover", os.Getenv("SCXMLTEST_COVER"), "add the coverage of charts to `FILE`; a page if its name ends in .html (default $SCXMLTEST_COVER)")
	coverMin  = flag.Float64("scxmltest.covermin", 0, "fail if less than `PERCENT` of the charts is covered")

	profile *cover.Profile // nil without coverage
)

// Cover runs the tests of a package and collects which states of charts they enter, which
// transitions they take, and both outcomes of conditions. It returns the exit status:
//
//	func TestMain(m *testing.M) { os.Exit(scxmltest.Cover(m)) }
//
// Without the flags that the package comment describes, it only runs the tests.
func Cover(m *testing.M) int {
	flag.Parse()
	if *coverFile == "" && *coverMin <= 0 {
		return m.Run()
	}
	profile = new(cover.Profile)
	status := m.Run()
	err := cmp.Or(profile.WriteText(os.Stdout), addToFile(), profile.AtLeast(*coverMin))
	if err != nil {
		fmt.Fprintf(os.Stderr, "scxmltest: %v\n", err)
		status = max(status, 1)
	}
	return status
}

func addToFile() error {
	if *coverFile == "" {
		return nil
	}
	return profile.AddTo(*coverFile)
}

// WithCover makes a session count for [Cover]. [Start], [Replay] and [RunFiles] give it to their
// sessions; a test gives it to those that it makes in another way, such as the sessions of the
// program under test.
func WithCover() scxml.Option {
	if profile == nil {
		return scxml.Options{}
	}
	return scxml.WithTrace(profile.Trace())
}

// needCover fails a test that is to be covered without Cover.
func needCover(t testing.TB) {
	if profile == nil && (*coverFile != "" || *coverMin > 0) {
		t.Helper()
		t.Fatal("coverage needs a TestMain: func TestMain(m *testing.M) { os.Exit(scxmltest.Cover(m)) }")
	}
}
