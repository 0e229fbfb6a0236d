package digit

import "testing"

func BenchmarkRun(b *testing.B) {
	w := make(Weights, Size)
	for i := range w {
		w[i] = float32(i%13-6) / 100
	}
	var p Pass
	for i := range p.Input {
		p.Input[i] = float32(i%7) / 7
	}
	for b.Loop() {
		p.Run(w)
	}
}
