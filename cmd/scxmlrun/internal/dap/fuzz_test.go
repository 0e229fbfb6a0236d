package dap_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	godap "github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/dap"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

// FuzzServe checks that whatever a client sends, each request is answered, and the server ends with
// its input. The fuzzer's text has a request in each line: its command, and its arguments as JSON. Other
// lines are sent as they are.
func FuzzServe(f *testing.F) {
	begin := "initialize {}\nlaunch {\"program\":\"chart.scxml\",\"clock\":\"virtual\",\"events\":[\"buy 1\",\"advance 5s\"]}\n" +
		"setBreakpoints {\"source\":{\"path\":\"chart.scxml\"},\"breakpoints\":[{\"line\":9,\"logMessage\":\"x {total}\"}]}\n"
	for _, text := range []string{
		begin + "configurationDone\nthreads\nstackTrace {\"threadId\":1}\nscopes {\"frameId\":1}\nvariables {\"variablesReference\":2}\ndisconnect",
		begin + "configurationDone\nstepIn {\"threadId\":1}\npause {\"threadId\":1}\nstepBack {\"threadId\":1}\nevaluate {\"expression\":\"send buy 1\",\"context\":\"repl\"}\nterminate",
		begin + "setFunctionBreakpoints {\"breakpoints\":[{\"name\":\"state:\"},{\"name\":\"a:b\"}]}\nsetDataBreakpoints {\"breakpoints\":[{\"dataId\":\"\"}]}\nconfigurationDone\ncompletions {\"text\":\"x\",\"column\":-1}",
		begin + "breakpointLocations {\"source\":{\"path\":\"chart.scxml\"},\"line\":-5,\"endLine\":99999999999}\nsource {\"sourceReference\":-1}\nloadedSources\nexceptionInfo\nsetExpression {}\nsetVariable {\"variablesReference\":1,\"name\":\"x\"}",
		"initialize\ninitialize []\nlaunch []\ncancel\ncancel {\"requestId\":1}\n{\"type\":\"request\"}\nnull\n\n \n{}\nattach\nrestart\nsetExceptionBreakpoints {\"filters\":null}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "chart.scxml")
		if err := os.WriteFile(file, []byte(shop), 0o666); err != nil {
			t.Fatal(err)
		}
		var in bytes.Buffer
		unanswered := map[int]bool{}
		path, _ := json.Marshal(file)
		text = bytes.ReplaceAll(text, []byte(`"chart.scxml"`), path)
		for i, line := range bytes.Split(text, []byte("\n")) {
			command, arguments, _ := bytes.Cut(line, []byte(" "))
			m := map[string]any{"seq": i + 1, "type": "request", "command": string(command)}
			if json.Valid(arguments) {
				m["arguments"] = json.RawMessage(arguments)
			}
			content, err := json.Marshal(m)
			if err != nil || len(command) == 0 || len(arguments) > 0 && !json.Valid(arguments) {
				content = line
			} else {
				unanswered[i+1] = true
			}
			if err := framing.Write(&in, content); err != nil {
				t.Fatal(err)
			}
			if string(command) == "disconnect" {
				break
			}
		}
		var out bytes.Buffer
		if err := dap.Serve(context.Background(), &in, &out); err != nil {
			t.Fatalf("Serve: %v", err)
		}
		r := bufio.NewReader(&out)
		for {
			content, err := framing.Read(r, 1<<30)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			m, err := godap.DecodeProtocolMessage(content)
			if err != nil && !bytes.Contains(content, []byte(`"success":false`)) {
				t.Fatalf("%v\n%s", err, content)
			}
			if m, ok := m.(godap.ResponseMessage); ok {
				delete(unanswered, m.GetResponse().RequestSeq)
			}
		}
		if len(unanswered) > 0 {
			t.Errorf("these requests were not answered: %v", slices.Sorted(maps.Keys(unanswered)))
		}
	})
}
