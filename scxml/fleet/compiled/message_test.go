package compiled

import (
	"fmt"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

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
