//go:build js && wasm

// Command sudoku-web is the Sudoku of a page, compiled to WebAssembly:
//
//	GOOS=js GOARCH=wasm go build -o sudoku.wasm ./cmd/sudoku-web
//
// It runs in a worker. It calls the function tell of the worker with a text of JSON, and a
// Uint8Array or null; first with {"type": "ready"}. From then on the worker has the function hear,
// which takes the same arguments. Package web describes the messages.
//
// In a worker whose variable serves is true it runs the services for another one, which has the
// game.
package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall/js"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func main() {
	// There is one thread: while memory is collected, keys wait. The program has 1 MB that is in use, and
	// with 1600 % it collects after 64 MB, unless there was a pause before.
	debug.SetGCPercent(1600)
	heard := make(chan struct{}, 1)
	go collect(heard)
	remote, messages := web.NewRemote(tell), make(chan web.Message)
	js.Global().Set("hear", js.FuncOf(func(_ js.Value, args []js.Value) any {
		lastHeard.Store(time.Now().UnixMilli())
		select {
		case heard <- struct{}{}:
		default:
		}
		m := web.Message{Text: []byte(args[0].String())}
		if len(args) > 1 && args[1].Truthy() {
			m.Data = make([]byte, args[1].Length())
			js.CopyBytesToGo(m.Data, args[1])
		}
		if !remote.Hear(m) {
			messages <- m
		}
		return nil
	}))
	var err error
	if js.Global().Get("serves").Truthy() {
		tell(web.Ready)
		err = web.Serve(context.Background(), messages, tell)
	} else {
		err = play(messages, remote)
	}
	tell(web.Failed(err))
}

// play plays until the game fails.
func play(messages <-chan web.Message, remote *web.Remote) error {
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		return err
	}
	tell(web.Ready)
	go func() { _ = web.WarmUp(context.Background(), chart, quiet) }() // what fails there fails in the player's game
	return web.Play(context.Background(), chart, remote, messages, tell)
}

var lastHeard atomic.Int64 // in ms since 1970, when the page has said something last

// quiet waits a little, and until the page has said nothing for a quarter of a second.
func quiet() {
	for {
		time.Sleep(30 * time.Millisecond)
		if time.Since(time.UnixMilli(lastHeard.Load())) >= 250*time.Millisecond {
			return
		}
	}
}

// collect collects memory when nothing was heard for a while.
func collect(heard <-chan struct{}) {
	const (
		pause = time.Second
		worth = 8 << 20 // bytes
	)
	var memory runtime.MemStats
	timer := time.NewTimer(pause)
	for {
		select {
		case <-heard:
			timer.Reset(pause)
		case <-timer.C:
			if runtime.ReadMemStats(&memory); memory.HeapAlloc > worth {
				runtime.GC()
			}
		}
	}
}

// tell gives the worker a message.
func tell(m web.Message) {
	data := js.Null()
	if m.Data != nil {
		data = js.Global().Get("Uint8Array").New(len(m.Data))
		js.CopyBytesToJS(data, m.Data)
	}
	js.Global().Call("tell", string(m.Text), data)
}
