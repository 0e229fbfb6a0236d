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

	// Tests are the start documents by number. Tests that the final manifest no
	// longer has come last; their Conformance is [Withdrawn].
	Tests []W3CTest

	// Abstract reports whether this package converted the documents from the
	// W3C's abstract ones. There are no corrected documents then.
	Abstract bool
}

// A W3CTest is one start document of the suite.
type W3CTest struct {
	ID          string   `json:"id"`        // for example "403a"
	Assert      string   `json:"assert"`    // the assertion that it tests, for example "403"
	Spec        []string `json:"spec"`      // sections of the REC
	Assertion   string   `json:"assertion"` // its text
	Conformance string   `json:"conformance"`
	// Manual says that the W3C wants a person to judge the outcome. Check replaces the person.
	Manual       bool     `json:"manual"`
	Datamodel    string   `json:"datamodel"`
	Needs        []string `json:"needs"` // features outside the core
	Start        string   `json:"start"` // the document, relative to the folder
	Unaltered    string   `json:"unaltered"`
	Altered      string   `json:"altered"`         // what differs in Start from Unaltered, and why
	LongestDelay float64  `json:"longest_delay_s"` // of its <send> elements, in seconds
	Expect       string   `json:"expect"`          // pass, final, reject or pass-or-reject
	Final        string   `json:"final"`           // id of the final state in which it has to end
	Check        *struct {
		Statement string  `json:"statement"`
		Checks    []Check `json:"checks"`
		NotByW3C  bool    `json:"not_by_w3c"` // whether the document is not the W3C's
	} `json:"manual_check"`

	broken error // why the document cannot be run
}

// Withdrawn is the Conformance of a test that the final manifest no longer has.
const Withdrawn = "withdrawn"

// A Form is a form of the documents of a suite.
type Form string

const (
	// Converted documents are converted for their data model and corrected where
	// necessary. This is the form to run.
	Converted Form = "converted"
	// Unaltered documents are converted for their data model only.
	Unaltered Form = "unaltered"
)

// Document returns the file that has the test in the given form, relative to the
// folder of the suite. It may be the same for both.
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

// grace is the time that a test gets beyond its longest delay.
const grace = 10 * time.Second

// patience is the time after which the test counts as hanging.
func (t W3CTest) patience() time.Duration {
	return time.Duration(t.LongestDelay*float64(time.Second)) + grace
}

// OpenW3C reads the suite from a folder. The folder has a file tests.json, which
// describes converted documents, or the W3C's own layout, see [OpenW3CAbstract].
func OpenW3C(fsys fs.FS) (*W3CSuite, error) {
	data, err := fs.ReadFile(fsys, "tests.json")
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := fs.Stat(fsys, manifestName); err == nil {
			return OpenW3CAbstract(fsys)
		}
		return nil, fmt.Errorf("conformance: cannot open the W3C suite: the folder has neither tests.json nor %s", manifestName)
	}
	if err != nil {
		return nil, fmt.Errorf("conformance: cannot open the W3C suite: %w", err)
	}
	suite := &W3CSuite{fsys: fsys}
	if err := json.Unmarshal(data, &suite.Tests); err != nil {
		return nil, fmt.Errorf("conformance: tests.json: %w", err)
	}
	if len(suite.Tests) == 0 {
		return nil, errors.New("conformance: tests.json does not list any tests")
	}
	for _, t := range suite.Tests {
		if t.ID == "" || t.Start == "" || t.Expect == "" {
			return nil, fmt.Errorf(`conformance: tests.json: test %q lacks "id", "start" or "expect"`, t.ID)
		}
	}
	withdrawn, err := readWithdrawn(fsys)
	if err != nil {
		return nil, err
	}
	suite.Tests = append(suite.Tests, withdrawn...)
	return suite, nil
}

// readWithdrawn reads the tests that the final manifest no longer has but that
// can still be run.
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
