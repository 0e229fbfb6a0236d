package conformance_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOwnDocuments(t *testing.T) {
	runOwn(t, ownDocument.runPlain)
}

// TestOwnDocumentsRestored: nothing changes if the session is saved and restored
// after every macrostep.
func TestOwnDocumentsRestored(t *testing.T) {
	runOwn(t, ownDocument.runRestored)
}

func runOwn(t *testing.T, run func(ownDocument, context.Context) error) {
	docs, err := openOwnDocuments(os.DirFS("documents"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		t.Run(strings.TrimSuffix(d.File, ".scxml"), func(t *testing.T) {
			t.Parallel()
			err := run(d, t.Context())
			if err == nil {
				return
			}
			trace := ""
			if f := (*ownFailure)(nil); errors.As(err, &f) && f.Trace != "" {
				lines := strings.SplitAfterN(f.Trace, "\n", 100)
				trace = "\ntrace:\n" + strings.Join(lines[:min(len(lines), 99)], "")
			}
			t.Errorf("%v\nREC %s: %s%s", err, d.Section, d.About, trace)
		})
	}
}

// TestOwnDocumentsCoverAllAssertions: each assertion has a document, and each
// document has an assertion and a unique description.
func TestOwnDocumentsCoverAllAssertions(t *testing.T) {
	docs, err := openOwnDocuments(os.DirFS("documents"))
	if err != nil {
		t.Fatal(err)
	}
	sections := make(map[string]string)
	for _, a := range ownAssertions() {
		if _, twice := sections[a.ID]; twice {
			t.Errorf("assertion %s is listed twice", a.ID)
		}
		sections[a.ID] = a.Section
	}
	shown := make(map[string]bool)
	about := make(map[string]string)
	for _, d := range docs {
		section, listed := sections[d.Assertion]
		switch {
		case !listed:
			t.Errorf("%s: %q is not an assertion", d.File, d.Assertion)
		case section != d.Section:
			t.Errorf("%s: assertion %s belongs to section %s, not %q", d.File, d.Assertion, section, d.Section)
		}
		shown[d.Assertion] = true
		if other := about[d.About]; other != "" {
			t.Errorf("%s has the description of %s", d.File, other)
		}
		about[d.About] = d.File
	}
	for _, a := range ownAssertions() {
		if !shown[a.ID] {
			t.Errorf("assertion %s (REC %s) does not have a document", a.ID, a.Section)
		}
	}
}

// TestOwnDocumentsCanFail: a document that does not say what it expects is an
// error, and one that does not get it fails.
func TestOwnDocumentsCanFail(t *testing.T) {
	const ok = `c:assertion="144" c:about="About it." c:expect="pass" c:log="a b=1"`
	const body = `<state id="s"><onentry><log label="a"/><log label="b" expr="1"/></onentry><transition target="pass"/></state><final id="pass"/>`
	for _, test := range []struct {
		name, attrs, body string
		want              string // part of the error; "" if it passes
	}{
		{"passes", ok, body, ""},
		{"no outcome", `c:assertion="144" c:about="About it."`, body, "is not an outcome"},
		{"no description", `c:assertion="144" c:expect="pass"`, body, "c:about is missing"},
		{"unknown attribute", ok + ` c:logs="a"`, body, "unknown attribute c:logs"},
		{"other assertion", strings.Replace(ok, "144", "145", 1), body, "the file name"},
		{"reject without code", strings.Replace(ok, "pass", "reject", 1), body, "c:code"},
		{"unknown need", ok + ` c:needs="luck"`, body, "is not a feature"},
		{"answers without HTTP", ok + ` c:answers="2xx"`, body, "c:answers"},
		{"not XML", ok, "<", "was rejected"},
		{"other log", ok, strings.Replace(body, "1", "2", 1), "got: a b=2"},
		{"log where none is expected", strings.Replace(ok, `c:log="a b=1"`, "", 1), body, "the log differs"},
		{"other final state", ok, strings.Replace(body, "pass", "fail", 2), `ended in "fail"`},
		{"no end", ok, strings.Replace(body, "<transition", `<transition event="e"`, 1), "did not end"},
		{"endless events", ok, `<state id="s"><onentry><send event="e"/></onentry><transition event="e" target="s"/></state>`, "within 10000 events"},
		{"endless macrostep", ok, `<state id="s"><transition target="s"/></state>`, "Microsteps"},
		{"rejected", ok, `<state id="s" initial="t"/>`, "was rejected"},
		{"not rejected", strings.Replace(ok, `"pass"`, `"reject" c:code="unknown-target"`, 1), body, "was not rejected"},
		{"rejected for another reason", strings.Replace(ok, `"pass"`, `"reject" c:code="unknown-target"`, 1), `<state id="s" initial="t"/>`, "want exactly one error"},
		{"bad data", ok + ` c:data="{"`, body, "c:data"},
		{"undeclared data", ok + ` c:data='{"x": 1}'`, body, `"x"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" xmlns:c="` + ownNamespace + `" ` +
				test.attrs + ">" + test.body + "</scxml>"
			docs, err := openOwnDocuments(fstest.MapFS{"144-x.scxml": {Data: []byte(source)}})
			if err == nil {
				err = docs[0].runPlain(t.Context())
			}
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
	if _, err := openOwnDocuments(fstest.MapFS{}); err == nil {
		t.Error("a folder without documents is not an error")
	}
}
