package scxmltest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/cover"
)

func TestMain(m *testing.M) { os.Exit(Cover(m)) }

// TestDoorAlone is what the tests below run with coverage.
func TestDoorAlone(t *testing.T) {
	s := Start(t, parse(t, door))
	s.Do("push", 9)
}

// goTest runs some of these tests in another process.
func goTest(t *testing.T, pattern string, args ...string) (out string, status int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=" + pattern}, args...)...)
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// A run with coverage prints what was not reached, and fails below the minimum.
func TestCover(t *testing.T) {
	const report = `PASS
coverage      states  transitions  conditions   total
door.scxml       2/2          1/2         1/2   66.6%
door.scxml:4:5: condition "_event.data > 5" was never false
door.scxml:8:5: transition "close" of "open" was never taken
`
	out, status := goTest(t, "TestDoorAlone", "-scxmltest.covermin=66.6")
	if status != 0 || out != report {
		t.Errorf("status %d\n%s", status, out)
	}
	out, status = goTest(t, "TestDoorAlone", "-scxmltest.covermin=67")
	if want := report + "scxmltest: the tests cover 66.6% of their charts: want at least 67%\n"; status != 1 || out != want {
		t.Errorf("status %d\n%s\nwant\n%s", status, out, want)
	}
	out, status = goTest(t, "TestDoorAlone", "-scxmltest.cover="+filepath.Join(t.TempDir(), "nowhere", "x.json"))
	if status != 1 || !strings.Contains(out, "scxmltest: cannot write coverage: open ") {
		t.Errorf("status %d\n%s", status, out)
	}
}

// The tests of several packages, which run at the same time, count together.
func TestCoverOfSeveralProcesses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cover.html")
	var all sync.WaitGroup
	for _, pattern := range []string{"TestDoorAlone", "TestStart$", "TestScenarios", "TestDoorAlone"} {
		all.Go(func() {
			if out, status := goTest(t, pattern, "-scxmltest.cover="+file); status != 0 {
				t.Errorf("status %d\n%s", status, out)
			}
		})
	}
	all.Wait()
	profile, err := cover.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, d := range profile.Documents() {
		files = append(files, d.File)
		if d.File == "door.scxml" && (d.Elements[2].Count != 3 || profile.AtLeast(100) != nil) {
			t.Errorf("%v, got %+v", profile.AtLeast(100), d)
		}
	}
	if got := strings.Join(files, " "); got != "chart.scxml door.scxml" {
		t.Errorf("the file has %s", got)
	}
}

// A missing TestMain is reported, because nothing would be counted.
func TestCoverNeedsTestMain(t *testing.T) {
	defer func(before *cover.Profile, min float64) { profile, *coverMin = before, min }(profile, *coverMin)
	profile, *coverMin = nil, 1
	if log, failed := run(t, func(f *fakeT) { Start(f, parse(t, door)) }); !failed || !strings.Contains(log, "coverage needs a TestMain: func TestMain(") {
		t.Errorf("got %s", log)
	}
}
