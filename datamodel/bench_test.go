package datamodel_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Text in several scripts, since the writer looks at what is not ASCII.
func BenchmarkAppendJSON(b *testing.B) {
	for name, text := range map[string]string{
		"ASCII":    "The quick brown fox jumps over the lazy dog. ",
		"Latin":    "Größe, Straße, déjà vu, señor, naïve façade: ",
		"Cyrillic": "Съешь же ещё этих мягких французских булок. ",
		"Han":      "我能吞下玻璃而不伤身体。",
	} {
		v := datamodel.NewObject("text", strings.Repeat(text, 20), "board", []datamodel.Value{int64(1), int64(2), 0.5})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = datamodel.AppendJSON(dst[:0], v)
			}
			b.SetBytes(int64(len(dst)))
		})
	}
}
