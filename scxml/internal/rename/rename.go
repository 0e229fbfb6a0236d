// Package rename changes the names of states in snapshots, for migrations to another version of a chart.
package rename

import (
	"encoding/json"
	"errors"
	"fmt"
)

// States renames the states that the first session of a snapshot names.
func States(snapshot []byte, to map[string]string) ([]byte, error) {
	if len(to) == 0 {
		return snapshot, nil
	}
	var tree map[string]json.RawMessage
	var sessions []map[string]json.RawMessage
	err := json.Unmarshal(snapshot, &tree)
	if err == nil {
		err = json.Unmarshal(tree["sessions"], &sessions)
	}
	if err == nil && len(sessions) == 0 {
		err = errors.New("it has no session")
	}
	if err != nil {
		return nil, fmt.Errorf("cannot rename states: not a snapshot: %w", err)
	}
	root := sessions[0]
	rename := func(names []string) []string {
		for i, name := range names {
			if s, ok := to[name]; ok {
				names[i] = s
			}
		}
		return names
	}
	var names []string
	for _, field := range []string{"configuration", "bound", "toinvoke"} {
		if err = edit(root, field, &names, func() { rename(names) }); err != nil {
			return nil, err
		}
	}
	var histories []struct {
		State string   `json:"state"`
		Value []string `json:"value"`
	}
	err = edit(root, "history", &histories, func() {
		for i := range histories {
			h := &histories[i]
			h.State, h.Value = rename([]string{h.State})[0], rename(h.Value)
		}
	})
	if err != nil {
		return nil, err
	}
	var invocations []map[string]json.RawMessage
	err = edit(root, "invocations", &invocations, func() {
		for _, inv := range invocations {
			var state string
			_ = edit(inv, "state", &state, func() { state = rename([]string{state})[0] })
		}
	})
	if err != nil {
		return nil, err
	}
	if tree["sessions"], err = json.Marshal(sessions); err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// edit changes a field of a JSON object, if it is there, as a value of Go.
func edit[T any](object map[string]json.RawMessage, field string, v *T, change func()) (err error) {
	text, ok := object[field]
	if !ok {
		return nil
	}
	*v = *new(T)
	if err = json.Unmarshal(text, v); err == nil {
		change()
		object[field], err = json.Marshal(*v)
	}
	return err
}
