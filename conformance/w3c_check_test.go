package conformance

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// TestCheck: each kind of check can fail.
func TestCheck(t *testing.T) {
	seen := observation{
		final: "done", took: 2 * time.Second,
		logs: []logLine{
			{"parent", "a", "1"}, {"child", "a", "1"}, {"parent", "b", nil}, {"child", "b", datamodel.Null}, {"child", "c", "x y"},
		},
		processed: []string{"e1", "e2"},
		answers:   map[string]int{"k=v": 204},
	}
	refused := observation{rejected: errors.New("bad")}
	for _, test := range []struct {
		check string
		o     observation
		want  string // "" if it holds
	}{
		{`{"check":"final","state":"done"}`, seen, ""},
		{`{"check":"final","state":"done","within_s":2}`, seen, ""},
		{`{"check":"final","state":"done","within_s":1.9}`, seen, "ended after 2s, want at most 1.9s"},
		{`{"check":"final","state":"other"}`, seen, `ended in "done", want "other"`},
		{`{"check":"final","state":""}`, refused, "the document was rejected: bad"},
		{`{"check":"rejected-at-load"}`, refused, ""},
		{`{"check":"rejected-at-load"}`, seen, "was not rejected"},
		{`{"check":"any-of","of":[{"check":"rejected-at-load"},{"check":"final","state":"done"}]}`, seen, ""},
		{`{"check":"any-of","of":[{"check":"rejected-at-load"},{"check":"final","state":"done"}]}`, refused, ""},
		{`{"check":"any-of","of":[{"check":"rejected-at-load"},{"check":"final","state":"other"}]}`, seen, "none of 2 alternatives"},
		{`{"check":"any-of"}`, seen, "none of 0 alternatives"},
		{`{"check":"event-not-processed","event":"e3"}`, seen, ""},
		{`{"check":"event-not-processed","event":"e2"}`, seen, `"e2" was taken`},
		{`{"check":"http-post","body":"k=v","status":"2xx"}`, seen, ""},
		{`{"check":"http-post","body":"k=v","status":"204"}`, seen, ""},
		{`{"check":"http-post","body":"k=v","status":"200"}`, seen, "status 204, want 200"},
		{`{"check":"http-post","body":"other","status":"2xx"}`, seen, "nothing could be posted"},
		{`{"check":"log-match","label":"c","re2":"^x.y$","count":1}`, seen, ""},
		{`{"check":"log-match","label":"c","re2":"^y"}`, seen, `no value logged as "c" matches`},
		{`{"check":"log-match","label":"a","re2":"1","count":1}`, seen, "2 times, want 1"},
		{`{"check":"log-match","label":"a","re2":"("}`, seen, "error parsing regexp"},
		{`{"check":"log-value","label":"a","value":"1"}`, seen, ""},
		{`{"check":"log-value","label":"a","value":"2"}`, seen, `"a" was logged with`},
		{`{"check":"log-value","label":"d","value":""}`, seen, "was not logged"},
		{`{"check":"log-labels-in-order","labels":["a","a","b","b","c"]}`, seen, ""},
		{`{"check":"log-labels-in-order","labels":["a","b","c"]}`, seen, "the labels logged are"},
		{`{"check":"log-order","session":"child","values":["1","null","x y"]}`, seen, ""},
		{`{"check":"log-order","session":"child","values":["null","1","x y"]}`, seen, "logged by the child"},
		{`{"check":"log-absent","value":"x"}`, seen, ""},
		{`{"check":"log-absent","value":"x y"}`, seen, `"x y" was logged`},
		{`{"check":"log-pairs-equal","sessions":["parent","child"],"labels":["a"]}`, seen, ""},
		{`{"check":"log-pairs-equal","sessions":["parent","child"],"labels":["a","b"]}`, seen, `with "undefined" by the parent and with "null" by the child`},
		{`{"check":"log-pairs-equal","sessions":["parent","child"],"labels":["c"]}`, seen, `the parent logged "c" 0 times`},
		{`{"check":"log-values-equal","labels":["c"],"value":"x y"}`, seen, ""},
		{`{"check":"log-values-equal","labels":["b"],"value":"undefined"}`, seen, "want one"},
		{`{"check":"dance"}`, seen, `"dance" is not a kind of check`},
	} {
		var c Check
		if err := json.Unmarshal([]byte(test.check), &c); err != nil {
			t.Fatal(err)
		}
		err := c.verify(&test.o)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.check, err, test.want)
		}
	}
}
