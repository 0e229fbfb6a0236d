package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

func TestParseData(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"tap": {"x": "0..1", "y": "-1..0"}}`, `tap: {"x":0,"y":-1} {"x":0,"y":0} {"x":1,"y":-1} {"x":1,"y":0}`},
		{`{"coin": [1, 2.5, null], "b": "x", "a": {}}`, `a: {}; b: "x"; coin: 1 2.5 null`},
		{`{"e": [[1, 2]], "f": "1.5..2", "g": {"list": ["a", ["b"]], "z": {"n": "7..7"}}}`, `e: [1,2]; f: "1.5..2"; g: {"list":"a","z":{"n":7}} {"list":["b"],"z":{"n":7}}`},
		{`{}`, ``},
		{`[1]`, `error: want an object with a member for each event, for example {"tap":{"x":"0..8"}}`},
		{`{`, `error: `},
		{`{"a b": 1}`, `error: `},
		{`{"e": {"x": "5..1"}}`, `error: event "e": "x": "5..1" is not a range of 1 to 100000 integers`},
		{`{"e": "0..100000"}`, `error: event "e": "0..100000" is not a range of 1 to 100000 integers`},
		{`{"e": {"x": "1..400", "y": "1..400"}}`, `error: event "e": it carries more than 100000 values`},
		{`{"e": []}`, `error: event "e": an empty array stands for no value at all`},
	} {
		data, err := explore.ParseData([]byte(test.text))
		if message, isError := strings.CutPrefix(test.want, "error: "); isError {
			if err == nil || !strings.HasPrefix(err.Error(), message) {
				t.Errorf("%s: %v, want %s", test.text, err, message)
			}
			continue
		}
		var events []string
		for _, name := range []string{"a", "b", "coin", "e", "f", "g", "tap"} {
			if values, ok := data[name]; ok {
				event := name + ":"
				for _, v := range values {
					event += " " + string(datamodel.AppendJSON(nil, v))
				}
				events = append(events, event)
			}
		}
		if got := strings.Join(events, "; "); got != test.want || err != nil || len(events) != len(data) {
			t.Errorf("%s: got %s, %v\nwant %s", test.text, got, fmt.Sprint(err), test.want)
		}
	}
}
