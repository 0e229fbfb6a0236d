package format

import (
	"strings"
	"testing"
)

// BenchmarkRead reads files of 1,000 puzzles.
func BenchmarkRead(b *testing.B) {
	for _, f := range Formats() {
		games := make([]Game, 1000)
		for i := range games {
			games[i].Givens = grid(puzzle)
		}
		text := written(f, games...)
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for _, err := range Read("f", strings.NewReader(text)) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != len(games) {
					b.Fatal(n)
				}
			}
		})
	}
}

// BenchmarkWrite writes one puzzle after the other.
func BenchmarkWrite(b *testing.B) {
	for _, f := range Formats() {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			game := Game{Givens: grid(puzzle)}
			w := NewWriter(nowhere{}, f)
			for b.Loop() {
				if err := w.Write(&game); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
