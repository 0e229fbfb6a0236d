package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// A W3CSuite is the W3C's suite, read from a folder. It is immutable.
type W3CSuite struct {
	fsys fs.FS

	// Tests are the start documents in the order of their numbers; the last
	// ones may be tests that the final manifest does not have any more, whose
	// Conformance is [Withdrawn].
	Tests []W3CTest

	// Abstract says that the documents were converted here from the W3C's
	// abstract ones, so that there is no corrected form of any.
	Abstract bool
}

// A W3CTest is one start document of the suite.
type W3CTest struct {
	ID          string   `json:"id"`        // for example "403a"
	Assert      string   `json:"assert"`    // the assertion that it tests, for example "403"
	Spec        []string `json:"spec"`      // sections of the REC
	Assertion   string   `json:"assertion"` // what the test tests
	Conformance string   `json:"conformance"`
	// Manual says that a person is meant to judge the outcome. Check does it instead.
	Manual       bool     `json:"manual"`
	Datamodel    string   `json:"datamodel"`
	Needs        []string `json:"needs"` // features outside the core
	Start        string   `json:"start"` // the document, relative to the folder
	Unaltered    string   `json:"unaltered"`
	Altered      string   `json:"altered"` // what was altered in Start, and why
	LongestDelay float64  `json:"longest_delay_s"`
	Expect       string   `json:"expect"` // pass, final, reject or pass-or-reject
	Final        string   `json:"final"`
	Check        *struct {
		Statement string  `json:"statement"`
		Checks    []Check `json:"checks"`
		NotByW3C  bool    `json:"not_by_w3c"` // the document is not the W3C's
	} `json:"manual_check"`

	broken error // the document could not be converted
}

// Withdrawn is the Conformance of a test that the final manifest does not have any more.
const Withdrawn = "withdrawn"

// A Form is a form of the documents of a suite.
type Form string

const (
	// Converted is the form that is meant to be run: converted for its data
	// model and, where it needs that, corrected.
	Converted Form = "converted"
	// Unaltered is what the conversion for the data model alone makes of the
	// W3C's abstract document.
	Unaltered Form = "unaltered"
)

// Document returns the file of the test in a form.
func (t W3CTest) Document(form Form) string {
	if form == Unaltered && t.Unaltered != "" {
		return t.Unaltered
	}
	return t.Start
}

// NeedsAny reports whether the test needs one of the given features.
func (t W3CTest) NeedsAny(features ...string) bool {
	return slices.ContainsFunc(features, func(f string) bool { return slices.Contains(t.Needs, f) })
}

// checks returns the checks of a manual test.
func (t W3CTest) checks() []Check {
	if t.Check == nil {
		return nil
	}
	return t.Check.Checks
}

// grace is how much time a test gets beyond its longest delay.
const grace = 10 * time.Second

// patience is how much time the test gets before it counts as hanging.
func (t W3CTest) patience() time.Duration {
	return time.Duration(t.LongestDelay*float64(time.Second)) + grace
}

// OpenW3C reads the suite from a folder: with a file tests.json, which
// describes documents that have been converted, or else in the W3C's own layout,
// see [OpenW3CAbstract].
func OpenW3C(fsys fs.FS) (*W3CSuite, error) {
	data, err := fs.ReadFile(fsys, "tests.json")
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := fs.Stat(fsys, manifestName); err == nil {
			return OpenW3CAbstract(fsys)
		}
		return nil, fmt.Errorf("conformance: no W3C suite here: neither tests.json nor %s", manifestName)
	}
	if err != nil {
		return nil, fmt.Errorf("conformance: no W3C suite here: %w", err)
	}
	suite := &W3CSuite{fsys: fsys}
	if err := json.Unmarshal(data, &suite.Tests); err != nil {
		return nil, fmt.Errorf("conformance: tests.json: %w", err)
	}
	if len(suite.Tests) == 0 {
		return nil, errors.New("conformance: tests.json lists no test")
	}
	for _, t := range suite.Tests {
		if t.ID == "" || t.Start == "" || t.Expect == "" {
			return nil, fmt.Errorf("conformance: tests.json: test %q lacks an id, a start document or what to expect", t.ID)
		}
	}
	withdrawn, err := readWithdrawn(fsys)
	if err != nil {
		return nil, err
	}
	suite.Tests = append(suite.Tests, withdrawn...)
	return suite, nil
}

// readWithdrawn reads the tests that the final manifest does not have any more
// but that can be run all the same.
func readWithdrawn(fsys fs.FS) ([]W3CTest, error) {
	data, err := fs.ReadFile(fsys, "removed/removed.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var tests []W3CTest
	if err == nil {
		err = json.Unmarshal(data, &tests)
	}
	if err != nil {
		return nil, fmt.Errorf("conformance: removed/removed.json: %w", err)
	}
	tests = slices.DeleteFunc(tests, func(t W3CTest) bool { return t.Start == "" })
	for i := range tests {
		t := &tests[i]
		t.Assert, t.Conformance, t.Expect, t.Final = t.ID, Withdrawn, "pass", "pass"
		if t.Datamodel == "any" {
			t.Datamodel = "ecmascript"
		}
	}
	return tests, nil
}
