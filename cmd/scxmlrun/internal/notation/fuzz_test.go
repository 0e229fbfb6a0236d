package notation

import (
	"errors"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// checkImport checks what holds of all input: an error has a position, and what is read can be written.
func checkImport(t *testing.T, in []byte, imported *Import, err error) {
	t.Helper()
	var problem *ImportError
	switch {
	case err == nil:
		if _, err := scxml.Parse("imported.scxml", imported.SCXML); err != nil {
			t.Errorf("%v\n%s\n%s", err, in, imported.SCXML)
		}
	case !errors.As(err, &problem):
		t.Errorf("the error is not an ImportError: %v", err)
	case strings.Contains(problem.Msg, "cannot be written"):
		t.Errorf("%v\n%s", err, in)
	case !problem.Pos.IsValid() && len(in) <= MaxImport:
		t.Errorf("the error has no position: %v", err)
	}
}

func FuzzReadSMCat(f *testing.F) {
	for _, text := range []string{
		"initial => a;\na => b: e [x]/ raise y;\n",
		"a, b [type=final label=\"B\"]: entry/ x\nexit/ y, p.parallel { q { q1; }, r { r1 -> r2; }; };\n# note\na -> ]f; ]f -> q1; ]f -> r1; q1 -> ]j; r1 -> ]j; ]j -> b;",
		"x { h [type=deephistory], y, z; h => y; }; w; x => h; w <- x: // c\n a/*d*/;",
		"^c, initial; initial -> ^c; ^c -> a: [x]; ^c -> final: [else];",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		imported, err := ReadSMCat("x.smcat", in)
		checkImport(t, in, imported, err)
	})
}

func FuzzReadXState(f *testing.F) {
	for _, text := range []string{
		`{"id":"m","initial":"a","context":{"n":0},"states":{"a":{"on":{"E":"b","F":{"target":".","guard":"g","actions":["x",{"type":"y","params":{"a":1}}]}},"after":{"100":"b","long":"b"}},"b":{"type":"final","output":1}}}`,
		`{"type":"parallel","states":{"p":{"initial":"x","states":{"x":{},"h":{"type":"history","history":"deep"}},"onDone":"#machine.q"},"q":{"invoke":{"src":"s","onDone":[{"target":"p.x"}],"onError":"p"},"always":[{"cond":"c","in":"#machine.p"}]}},"on":{"*":".p.h","a.*":["p","q"]}}`,
		`{"states":{"a":{"entry":[{"type":"xstate.raise","event":{"type":"e","d":1},"delay":10},{"type":"xstate.assign","assignment":{"k":[1]}}]}}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		imported, err := ReadXState("x.json", in)
		checkImport(t, in, imported, err)
	})
}
