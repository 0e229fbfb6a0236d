package datamodeltest_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/datamodeltest"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// broken is a data model with one mistake.
type broken struct {
	datamodel.Language
	mistake string
}

type brokenStore struct {
	datamodel.Store
	mistake string
	runs    int
}

func (b broken) NewStore(host datamodel.Host) (datamodel.Store, error) {
	s, err := b.Language.NewStore(host)
	if r, ok := s.(resetter); ok {
		switch b.mistake {
		case "resets nothing":
			return resetsNothing{r}, err
		case "has one key":
			return hasOneKey{r}, err
		}
	}
	return &brokenStore{Store: s, mistake: b.mistake}, err
}

type resetsNothing struct{ resetter }

func (resetsNothing) Reset([]byte, []datamodel.Expr) error { return nil }

type hasOneKey struct{ resetter }

func (hasOneKey) AppendKey(dst []byte, _ []datamodel.Expr) ([]byte, error) { return dst, nil }

type resetter interface {
	datamodel.Store
	datamodel.Resetter
}

func (s *brokenStore) Condition(cond datamodel.Expr) (bool, error) {
	ok, err := s.Store.Condition(cond)
	return ok != (s.mistake == "inverts conditions"), err
}

func (s *brokenStore) Value(x datamodel.Expr) (datamodel.Value, error) {
	if s.mistake == "hides errors" {
		v, _ := s.Store.Value(x)
		return v, nil
	}
	v, err := s.Store.Value(x)
	if i, ok := v.(int64); ok && s.mistake == "adds one" {
		v = i + 1
	}
	return v, err
}

func (s *brokenStore) Set(id string, v datamodel.Value) error {
	if s.mistake == "forgets" {
		return nil
	}
	return s.Store.Set(id, v)
}

func (s *brokenStore) Run(script datamodel.Expr) error {
	err := s.Store.Run(script)
	if s.runs++; err == nil && s.mistake == "fails scripts" {
		return &datamodel.EvalError{Msg: "no"}
	}
	return err
}

func (s *brokenStore) SetEvent(ev *datamodel.Event) {
	if s.mistake != "has no events" {
		s.Store.SetEvent(ev)
	}
}

// mistakes are the tests of the kit that fail for each mistake, among others.
var mistakes = map[string]string{
	"inverts conditions": "In",
	"hides errors":       "failures",
	"adds one":           "values",
	"forgets":            "data",
	"fails scripts":      "scripts",
	"has no events":      "events",
	"resets nothing":     "reset",
	"has one key":        "reset",
}

// TestKitFindsMistakes: the kit fails for data models that are wrong. They run in
// a process of their own, so that its failures are not those of this test.
func TestKitFindsMistakes(t *testing.T) {
	if mistake := os.Getenv("DATAMODELTEST_MISTAKE"); mistake != "" {
		datamodeltest.Run(t, broken{ecmascript.New(), mistake}, sources)
		return
	}
	for _, mistake := range slices.Sorted(maps.Keys(mistakes)) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKitFindsMistakes$", "-test.v")
		cmd.Env = append(os.Environ(), "DATAMODELTEST_MISTAKE="+mistake)
		out, err := cmd.CombinedOutput()
		if want := "--- FAIL: TestKitFindsMistakes/" + mistakes[mistake]; err == nil || !strings.Contains(string(out), want) {
			t.Errorf("a data model that %s: %v, and not %q:\n%s", mistake, err, want, out)
		}
	}
}
