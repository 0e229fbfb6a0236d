//go:build js && wasm

// Command sudoku-web is the Sudoku of a page, compiled to WebAssembly:
//
//	GOOS=js GOARCH=wasm go build -o sudoku.wasm ./cmd/sudoku-web
//
// It runs in a worker. It calls the function tell of the worker with a text of JSON, and a
// Uint8Array or null; first with {"type": "ready"}. From then on the worker has the function hear,
// which takes the same arguments. Package web describes the messages.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/web"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

func main() {
	messages := make(chan web.Message)
	js.Global().Set("hear", js.FuncOf(func(_ js.Value, args []js.Value) any {
		m := web.Message{Text: []byte(args[0].String())}
		if len(args) > 1 && args[1].Truthy() {
			m.Data = make([]byte, args[1].Length())
			js.CopyBytesToGo(m.Data, args[1])
		}
		messages <- m
		return nil
	}))
	function := js.Global().Get("tell")
	tell := func(m web.Message) {
		data := js.Null()
		if m.Data != nil {
			data = js.Global().Get("Uint8Array").New(len(m.Data))
			js.CopyBytesToJS(data, m.Data)
		}
		function.Invoke(string(m.Text), data)
	}
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err == nil {
		tell(web.Message{Text: []byte(`{"type":"ready"}`)})
		err = web.Play(context.Background(), chart, drive.Config{Options: service.Options()}, messages, tell)
	}
	text, _ := json.Marshal(map[string]string{"type": "failed", "error": err.Error()}) // texts do not fail
	tell(web.Message{Text: text})
}
