package web

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// BenchmarkKey measures what a key costs the game, from the message of the page to the last message to it,
// in a puzzle with all candidates noted.
func BenchmarkKey(b *testing.B) {
	for name, keys := range map[string][]string{"move": {"Right", "Left"}, "digit": {"1", "Ctrl+Z"}, "note": {"M", "1", "1", "M"}, "candidates": {"H", "U"}, "all candidates": {"U", "Shift+H"}} {
		b.Run(name, func(b *testing.B) {
			chart, err := scxml.Load(charts.FS, "sudoku.scxml")
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			messages, views, ended := make(chan Message), make(chan struct{}, 100), make(chan struct{})
			told := 0
			go func() {
				defer close(ended)
				_ = Play(ctx, chart, NewRemote(func(Message) {}), messages, func(m Message) { // ends with ctx
					told += len(m.Text)
					var kind struct{ Type string }
					if json.Unmarshal(m.Text, &kind) == nil && kind.Type == "view" {
						views <- struct{}{}
					}
				})
			}()
			say := func(text string) {
				messages <- Message{Text: []byte(text)}
				<-views
			}
			press := func(key string) { say(fmt.Sprintf(`{"do":"key","key":%q}`, key)) }
			defer func() {
				cancel()
				<-ended
			}()
			say(`{"do":"start"}`)
			say(`{"do":"text","text":"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."}`)
			say(`{"do":"press","dialog":1,"at":1}`)
			press("Shift+H")
			press("Right")
			told = 0
			for b.Loop() {
				for _, key := range keys {
					press(key)
				}
			}
			b.ReportMetric(float64(told)/float64(b.N*len(keys)), "bytes/key")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(keys)), "µs/key")
		})
	}
}
