package compiled_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// Each chart of this project that a program can search is explored with the same result by sessions.
func TestOurCharts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it compiles some hundred charts")
	}
	root := filepath.Join("..", "..", "..")
	var all []*subject
	refused, verdicts := map[string]int{}, map[string]int{}
	for _, dir := range []string{"charts", "cmd", "conformance/documents", "examples", "scxml"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".scxml" {
				return err
			}
			chart, err := scxml.Load(os.DirFS(filepath.Dir(name)), filepath.Base(name))
			if err != nil {
				return nil // it is a test of that
			}
			s := &subject{name: name, chart: chart, opts: explore.Options{MaxStates: 500, MaxDepth: 200}}
			if err := s.compile(); err != nil {
				refused[err.Error()]++
				return nil
			}
			all = append(all, s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	compared := compare(t, all, refused, verdicts)
	t.Logf("%d charts compared: %v", compared, verdicts)
	if compared < 100 {
		t.Errorf("%d charts were compared, of %d; refused: %v", compared, len(all), refused)
	}
}
