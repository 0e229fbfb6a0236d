// Package digit reads one cell of a Sudoku: a convolutional network tells empty cells, printed digits
// and handwritten ones apart.
package digit

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// Classes is the number of answers: 0 for an empty cell, 1 to 9 for printed digits, and Handwritten
// more for handwritten ones.
const (
	Handwritten = 9
	Classes     = 19
)

// The layers of the network, from a window of 30x30 pixels to 19 classes. The convolutions are 3x3,
// without a border, and a rectifier follows each layer but the last.
//
//	30x30x1 → conv 28x28x16 → max 14x14x16 → conv 12x12x32 → max 6x6x32 → conv 4x4x40 → 56 → 19
const (
	Side  = grid.WindowSize
	side1 = Side - 2
	half1 = side1 / 2
	side2 = half1 - 2
	half2 = side2 / 2
	side3 = half2 - 2

	depth1, depth2, depth3, hidden = 16, 32, 40, 56
)

// A Layer is the place of a layer's weights in those of the network: In*Out weights, then Out
// biases. The weights of one input are next to each other.
type Layer struct{ At, In, Out int }

// Layers are the layers with weights.
var Layers = func() (layers [5]Layer) {
	at := 0
	for i, shape := range [][2]int{{9, depth1}, {9 * depth1, depth2}, {9 * depth2, depth3}, {side3 * side3 * depth3, hidden}, {hidden, Classes}} {
		layers[i] = Layer{at, shape[0], shape[1]}
		at += (shape[0] + 1) * shape[1]
	}
	return layers
}()

// Size is the number of weights and biases.
var Size = Layers[4].At + (Layers[4].In+1)*Layers[4].Out

// Weights are those of all layers, one after the other.
type Weights []float32

// Of returns the weights and the biases of a layer.
func (w Weights) Of(l Layer) (weights, biases []float32) {
	w = w[l.At : l.At+(l.In+1)*l.Out]
	return w[:l.In*l.Out], w[l.In*l.Out:]
}

// Decode reads weights: little-endian float32, without a header.
func Decode(data []byte) (Weights, error) {
	if len(data) != 4*Size {
		return nil, fmt.Errorf("cannot read the weights: %d bytes, want %d", len(data), 4*Size)
	}
	w := make(Weights, Size)
	for i := range w {
		w[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return w, nil
}

// Encode is the reverse of Decode.
func (w Weights) Encode() []byte {
	var data []byte
	for _, v := range w {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// A Pass holds what the layers compute for one window. Reuse it: it has 100 KB.
type Pass struct {
	Input  [Side * Side]float32
	Conv1  [side1 * side1 * depth1]float32
	Pool1  [half1 * half1 * depth1]float32
	Conv2  [side2 * side2 * depth2]float32
	Pool2  [half2 * half2 * depth2]float32
	Conv3  [side3 * side3 * depth3]float32
	Hidden [hidden]float32
	Output [Classes]float32 // logarithms of probabilities
}

// Run computes all layers for the input.
func (p *Pass) Run(w Weights) {
	convolve(p.Conv1[:], p.Input[:], Side, 1, w, Layers[0])
	pool(p.Pool1[:], p.Conv1[:], side1, depth1)
	convolve(p.Conv2[:], p.Pool1[:], half1, depth1, w, Layers[1])
	pool(p.Pool2[:], p.Conv2[:], side2, depth2)
	convolve(p.Conv3[:], p.Pool2[:], half2, depth2, w, Layers[2])
	p.RunDense(w)
}

// RunDense computes the last two layers.
func (p *Pass) RunDense(w Weights) {
	weights, biases := w.Of(Layers[3])
	copy(p.Hidden[:], biases)
	accumulate(p.Hidden[:], p.Conv3[:], weights)
	rectify(p.Hidden[:])
	weights, biases = w.Of(Layers[4])
	copy(p.Output[:], biases)
	accumulate(p.Output[:], p.Hidden[:], weights)
	logSoftmax(&p.Output)
}

// convolve computes a layer of 3x3 convolutions. in has side*side pixels of depth values each.
func convolve(out, in []float32, side, depth int, w Weights, l Layer) {
	weights, biases := w.Of(l)
	row := 3 * depth // the values that three pixels next to each other have
	for y := range side - 2 {
		for x := range side - 2 {
			o := out[:l.Out]
			out = out[l.Out:]
			copy(o, biases)
			for k := range 3 {
				start := ((y+k)*side + x) * depth
				accumulate(o, in[start:start+row], weights[k*row*l.Out:])
			}
			rectify(o)
		}
	}
}

// accumulate adds to sums, for each input, the input times its weights.
func accumulate(sums, in, weights []float32) {
	for _, v := range in {
		if v != 0 {
			AddScaled(sums, weights[:len(sums)], v)
		}
		weights = weights[len(sums):]
	}
}

// AddScaled adds v*f to sums, which are as many.
func AddScaled(sums, v []float32, f float32) {
	sums = sums[:len(v)]
	for len(v) >= 4 && len(sums) >= 4 {
		sums[0] += v[0] * f
		sums[1] += v[1] * f
		sums[2] += v[2] * f
		sums[3] += v[3] * f
		v, sums = v[4:], sums[4:]
	}
	for i, x := range v {
		sums[i] += x * f
	}
}

func rectify(v []float32) {
	for i := range v {
		v[i] = max(v[i], 0)
	}
}

// pool keeps the greatest of each 2x2 pixels.
func pool(out, in []float32, side, depth int) {
	row := side * depth
	for y := 0; y < side; y += 2 {
		for x := 0; x < side; x += 2 {
			a := in[y*row+x*depth:]
			b := a[row:]
			for c := range depth {
				out[c] = max(a[c], a[depth+c], b[c], b[depth+c])
			}
			out = out[depth:]
		}
	}
}

// logSoftmax turns scores into logarithms of probabilities.
func logSoftmax(v *[Classes]float32) {
	greatest := v[0]
	for _, x := range v {
		greatest = max(greatest, x)
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(float64(x - greatest))
	}
	norm := greatest + float32(math.Log(sum))
	for i := range v {
		v[i] -= norm
	}
}

// Look puts the window of a patch that is (dx, dy) pixels from its middle into the input.
func (p *Pass) Look(patch *grid.Patch, dx, dy int) {
	for j := range Side {
		at := (grid.Margin+dy+j)*grid.PatchSize + grid.Margin + dx
		copy(p.Input[j*Side:(j+1)*Side], patch[at:at+Side])
	}
}
