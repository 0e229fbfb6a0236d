package drive_test

import (
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// FuzzProtocol gives a session on a virtual clock lines of the machine protocol. Each line is
// answered once, by idle or rejected, until the session ends; and each record can be read again.
func FuzzProtocol(f *testing.F) {
	for _, s := range []string{
		`{"event":"push","id":1}` + "\n" + `{"advance":"10s"}`,
		`{"event":{"name":"push","data":{"$date":"2026-01-31T12:00:00Z"}}}` + "\n\n" + `{"get":"1+1"}` + "\n" + `{"why":"push"}`,
		`{"cancel":"late"}` + "\n" + `{"snapshot":true}` + "\n" + `{"stop":true}` + "\n" + `{"event":"push"}`,
		"{\n" + `{"event":"done.invoke.x","session":"none"}` + "\n" + `{"advance":-1}` + "\n" + `{"get":"for(;;)"}`,
		"\xff\n" + `{"event":"a b"}` + "\n" + `{"advance":"9e99s"}` + "\n" + `{"get":"x","event":"y"}`,
	} {
		f.Add(s)
	}
	chart := parseChart(f, `<datamodel><data id="x" expr="1"/></datamodel>
		<state id="p"><transition event="*"><assign location="x" expr="_event.data"/><log expr="x"/></transition></state>`+lamp)
	limits := scxml.WithLimits(scxml.Limits{ScriptTime: 100 * time.Millisecond, MacrostepTime: time.Second})
	f.Fuzz(func(t *testing.T, text string) {
		answers, written, given, ended := map[int]int{}, 0, 0, false
		front := &front{hears: func(r *record.Record) {
			if r.Kind == record.Idle || r.Kind == record.Rejected {
				answers[r.Line]++
			}
			ended = ended || r.Kind == record.Done
			line := r.AppendJSON(nil)
			if again, err := record.ParseJSON(line); err != nil || string(again.AppendJSON(nil)) != string(line) {
				t.Errorf("record %s cannot be read again: %v", line, err)
			}
		}}
		seed, timeout := uint64(1), time.Hour
		d, err := drive.New(drive.Config{Chart: chart, Front: front, Kinds: basics, Virtual: true, Seed: &seed, Timeout: &timeout, Options: []scxml.Option{limits}})
		if err != nil {
			t.Fatal(err)
		}
		var inputs []drive.Input
		for line := range wire.Lines(strings.NewReader(text)) {
			cmd := line.Command()
			written++
			inputs = append(inputs, func(s drive.Session) error {
				if ended {
					return nil
				}
				given++
				_, _ = s.Do(cmd) // the answer is a record
				return nil
			})
		}
		lines := make(chan drive.Input, len(inputs))
		for _, input := range inputs {
			lines <- input
		}
		close(lines)
		if _, err := d.Run(t.Context(), lines); err != nil {
			t.Fatal(err)
		}
		for line, n := range answers {
			if line > written || n > 1 {
				t.Errorf("line %d of %d has %d answers", line, written, n)
			}
		}
		if len(answers) != given+1 { // and one for the start
			t.Errorf("%d answers to %d lines", len(answers), given)
		}
	})
}
