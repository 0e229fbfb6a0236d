package scxml_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// The snapshots of testdata/snapshots/v1 were made once, by the engine of their day. They must stay
// restorable, except the one of a chart that changes the library, which is now refused. To add one,
// write a chart and a line here and run the test with -snapshots.add, which never changes an
// existing file.
var addSnapshots = flag.Bool("snapshots.add", false, "save the sessions of testdata/snapshots that have no file yet, and their traces")

var oldSnapshots = []struct {
	name, chart   string
	before, after string // events with data in JSON, and +DURATION
	refused       string // why the snapshot is not restored any more
}{
	{"flat", "flat.scxml", "go; stop; go", "stop; go; stop; go", ""},
	{"parallel", "parallel.scxml", "power; turn; band; tune; +3s; power; power; turn; turn; +2s", "band; band; +8s; power; +1s; power; turn; +49s; +10s", ""},
	{"invoke", "invoke.scxml", "add; add; +500ms; add", "+600ms; ask; add; +2s; finish", ""},
	{"values", "values.scxml", `keep {"list":[1,{"a":"b"}]}`, "look", ""},
	{"library", "library.scxml", "", "look", "Array.prototype.last: cannot restore a change of the library"},
	{"sudoku", "../../speed/sudoku.scxml", `setup {"initState":[[0,0,3,0,2,0,6,0,0],[9,0,0,3,0,5,0,0,1],[0,0,1,8,0,6,4,0,0],[0,0,8,1,0,2,9,0,0],[7,0,0,0,0,0,0,0,8],[0,0,6,7,0,8,2,0,0],[0,0,2,6,0,9,5,0,0],[8,0,0,2,0,3,0,0,9],[0,0,5,0,1,0,3,0,0]]};
		start; tap {"x":0,"y":0}; tap {"x":0,"y":0}; set {"x":4,"y":4,"value":5}; undo; set {"x":8,"y":8,"value":7}`,
		`undo; tap {"x":0,"y":0}; undo; undo; undo; undo; stop; start`, ""},
}

func TestOldSnapshots(t *testing.T) {
	const dir = "testdata/snapshots/v1/"
	for _, test := range oldSnapshots {
		t.Run(test.name, func(t *testing.T) {
			path := test.chart
			folder, file := dir, path
			if i := strings.LastIndexByte(path, '/'); i >= 0 {
				folder, file = dir+path[:i], path[i+1:]
			}
			chart, err := scxml.Load(os.DirFS(folder), file)
			if err != nil {
				t.Fatal(err)
			}
			now := scxmltest.Epoch
			clock := func() time.Time { return now }
			play := func(s *scxml.Session, steps string) {
				for step := range strings.SplitSeq(steps, ";") {
					step = strings.TrimSpace(step)
					name, data, _ := strings.Cut(step, " ")
					switch {
					case step == "":
					case step[0] == '+':
						d, err := time.ParseDuration(step[1:])
						if err != nil {
							t.Fatal(err)
						}
						now = now.Add(d)
					default:
						var v any
						if data != "" {
							if err := json.Unmarshal([]byte(data), &v); err != nil {
								t.Fatal(err)
							}
						}
						if err := s.Send(scxml.Event{Name: name, Data: v}); err != nil {
							t.Fatal(err)
						}
					}
					if err := s.Advance(t.Context(), now); err != nil {
						t.Fatal(err)
					}
				}
			}
			// The session as it is made today, at the same point in time as the old one.
			s, err := scxml.New(chart, scxml.WithClock(clock), scxml.WithSessionID("session"), scxml.WithSeed(1))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			play(s, test.before)

			old, err := os.ReadFile(dir + test.name + ".json")
			if errors.Is(err, fs.ErrNotExist) && *addSnapshots {
				old = snapshot(t, s, scxml.WithClock(clock))
				write(t, dir+test.name+".json", old)
			} else if err != nil {
				t.Fatal(err)
			}
			if test.refused != "" {
				if _, err := scxml.Restore(chart, old, scxml.WithClock(clock)); err == nil || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v, want an error with %q", err, test.refused)
				}
				return
			}
			var got bytes.Buffer
			r := restore(t, chart, old, scxml.WithClock(clock), scxml.WithTrace(scxmltest.NewTrace(&got)))
			play(r, test.after)
			want, err := os.ReadFile(dir + test.name + ".trace")
			if errors.Is(err, fs.ErrNotExist) && *addSnapshots {
				write(t, dir+test.name+".trace", got.Bytes())
			} else if err != nil {
				t.Fatal(err)
			} else if got.String() != string(want) {
				t.Errorf("the restored session does\n%s\nwant\n%s", got.String(), want)
			}
		})
	}
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
