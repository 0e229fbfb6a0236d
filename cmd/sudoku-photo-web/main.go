//go:build js && wasm

// Command sudoku-photo-web reads the Sudokus in pictures on a page, compiled to WebAssembly:
//
//	GOOS=js GOARCH=wasm go build -o photo.wasm ./cmd/sudoku-photo-web
//
// It runs in a worker, which has the bytes of a picture in the variable picture. It calls the
// function tell of the worker with the JSON of a [reading.Result], and ends. If the worker has a variable
// strokes, the text of [reading.ReadDrawn], the result is a [reading.Drawn] instead.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/reading"
)

func main() {
	if strokes := js.Global().Get("strokes"); strokes.Truthy() {
		tell(reading.ReadDrawn([]byte(strokes.String())))
		return
	}
	picture := js.Global().Get("picture")
	file := make([]byte, picture.Length())
	js.CopyBytesToGo(file, picture)
	tell(reading.Read(context.Background(), file))
}

func tell(result any) {
	text, err := json.Marshal(result)
	if err != nil {
		panic(err) // a result has texts
	}
	js.Global().Call("tell", string(text))
}
