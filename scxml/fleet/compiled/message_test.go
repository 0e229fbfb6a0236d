package compiled

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// An outbox with what would be lost is refused.
func TestTasksRefuse(t *testing.T) {
	const text = `{"last":3,"tasks":[{"id":2,"kind":"send","session":"s","message":{"delay":"1s","target":"t","type":"x","event":{"name":"e","data":{"a":[1,null]}},` +
		`"params":[{"name":"a","value":1},{"name":"a"}],"retry":"attempts=3","at":{"file":"f","line":1,"col":2}}},` +
		`{"id":3,"kind":"cancel","session":"s","invoke":1,"service":{"id":"i","type":"y"}}]}`
	var all tasks
	if err := all.read(text); err != nil || len(all.Tasks) != 2 || all.Last != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	for _, at := range []string{`"last":3`, `"id":2`, `"delay":"1s"`, `"name":"e"`, `"value":1`, `"line":1`, `"type":"y"`} {
		if err := all.read(strings.Replace(text, at, `"more":1,`+at, 1)); err == nil || !strings.Contains(err.Error(), "not known") {
			t.Errorf("another field before %s: %v", at, err)
		}
	}
}

// Data with very many members reach a machine in time.
func TestManyMembers(t *testing.T) {
	const n = 150_000
	data := map[string]any{}
	for i := range n {
		data[fmt.Sprint("member", i)] = i
	}
	begin := time.Now()
	if fields, _ := fromValue(data).(machine.Fields); len(fields) != n {
		t.Errorf("it has %d members", len(fields))
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it takes %v", took)
	}
}
