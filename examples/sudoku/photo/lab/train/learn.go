package main

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
)

// A gradient is how the loss changes with each weight, summed over samples, and the memory to
// compute it.
type gradient struct {
	pass   digit.Pass
	weight digit.Weights
	loss   float64

	// The gradients of the values of layers.
	conv1, pool1, conv2, pool2, conv3, hidden []float32
}

func newGradient() *gradient {
	g := &gradient{weight: make(digit.Weights, digit.Size)}
	g.conv1, g.pool1 = make([]float32, len(g.pass.Conv1)), make([]float32, len(g.pass.Pool1))
	g.conv2, g.pool2 = make([]float32, len(g.pass.Conv2)), make([]float32, len(g.pass.Pool2))
	g.conv3, g.hidden = make([]float32, len(g.pass.Conv3)), make([]float32, len(g.pass.Hidden))
	return g
}

// dropout is the part of the values before the dense layers that each sample ignores.
const dropout = 0.2

// add computes the pass for its input and adds the gradient of the cross entropy with a class. Nil
// random numbers keep all values.
func (g *gradient) add(w digit.Weights, class int, random *rand.Rand) {
	p := &g.pass
	p.Run(w)
	scale := float32(1)
	if random != nil {
		scale = 1 / (1 - dropout)
		for i := range p.Conv3 {
			if random.Float32() < dropout {
				p.Conv3[i] = 0
			} else {
				p.Conv3[i] *= scale
			}
		}
		p.RunDense(w)
	}
	g.loss -= float64(p.Output[class])

	var output [digit.Classes]float32
	for i, v := range p.Output {
		output[i] = float32(math.Exp(float64(v)))
	}
	output[class]--
	clear(g.hidden)
	g.dense(g.hidden, p.Hidden[:], output[:], w, digit.Layers[4])
	mask(g.hidden, p.Hidden[:])
	clear(g.conv3)
	g.dense(g.conv3, p.Conv3[:], g.hidden, w, digit.Layers[3])
	for i, v := range p.Conv3 {
		if v == 0 {
			g.conv3[i] = 0
		} else {
			g.conv3[i] *= scale
		}
	}
	g.convolution(g.pool2, p.Pool2[:], g.conv3, w, digit.Layers[2])
	unpool(g.conv2, g.pool2, p.Conv2[:], p.Pool2[:], digit.Layers[1].Out)
	g.convolution(g.pool1, p.Pool1[:], g.conv2, w, digit.Layers[1])
	unpool(g.conv1, g.pool1, p.Conv1[:], p.Pool1[:], digit.Layers[0].Out)
	g.convolution(nil, p.Input[:], g.conv1, w, digit.Layers[0])
}

// mask clears the gradient where the rectifier did.
func mask(d, values []float32) {
	for i, v := range values {
		if v <= 0 {
			d[i] = 0
		}
	}
}

// dense adds the gradient of a layer's weights, and that of its input to in if that is not nil.
func (g *gradient) dense(in, input, out []float32, w digit.Weights, l digit.Layer) {
	weights, _ := w.Of(l)
	dweights, dbiases := g.weight.Of(l)
	for i, d := range out {
		dbiases[i] += d
	}
	g.taps(in, input, out, weights, dweights)
}

// taps is dense without the biases.
func (g *gradient) taps(in, input, out, weights, dweights []float32) {
	n := len(out)
	for i, v := range input {
		if v != 0 {
			digit.AddScaled(dweights[i*n:(i+1)*n], out, v)
			if in != nil {
				in[i] += dot(weights[i*n:(i+1)*n], out)
			}
		}
	}
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += x * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

// convolution does for a layer of convolutions what dense does. The gradient of an input that is 0
// is not computed: the rectifier before it would clear it.
func (g *gradient) convolution(in, input, out []float32, w digit.Weights, l digit.Layer) {
	clear(in)
	weights, _ := w.Of(l)
	dweights, dbiases := g.weight.Of(l)
	depth := l.In / 9
	side := int(math.Sqrt(float64(len(input) / depth)))
	row := 3 * depth
	for y := range side - 2 {
		for x := range side - 2 {
			d := out[:l.Out]
			out = out[l.Out:]
			zero := true
			for i, v := range d {
				if v != 0 {
					dbiases[i] += v
					zero = false
				}
			}
			if zero {
				continue
			}
			for k := range 3 {
				start := ((y+k)*side + x) * depth
				var part []float32
				if in != nil {
					part = in[start : start+row]
				}
				g.taps(part, input[start:start+row], d, weights[k*row*l.Out:], dweights[k*row*l.Out:])
			}
		}
	}
}

// unpool gives the gradient of the greatest of each 2x2 values to that value.
func unpool(in, out, input, output []float32, depth int) {
	clear(in)
	half := int(math.Sqrt(float64(len(output) / depth)))
	for i, v := range output {
		if v == 0 || out[i] == 0 { // the rectifier
			continue
		}
		c, x, y := i%depth, i/depth%half, i/depth/half
		at := (2*y*2*half+2*x)*depth + c
		for _, j := range []int{at, at + depth, at + 2*half*depth, at + (2*half+1)*depth} {
			if input[j] == v {
				in[j] = out[i]
				break
			}
		}
	}
}

// shards is the number of parts of a batch that are computed at the same time. It is fixed, so that
// sums are added in the same order on every machine.
const shards = 2

const batch = 48

// A source fills an input with a sample and returns its class. It is called for several shards at
// the same time.
type source func(random *rand.Rand, window *[digit.Side * digit.Side]float32) int

// train changes the weights for a number of steps: Adam, with a rate that rises quickly and falls to 0
// as a cosine does.
func train(w digit.Weights, steps int, rate float64, seed uint64, next source, progress func(step int, loss float64)) {
	const beta1, beta2, epsilon = 0.9, 0.99, 1e-8
	mean, square := make([]float64, len(w)), make([]float64, len(w))
	var parts [shards]*gradient
	var sources [shards]*rand.Rand
	for i := range parts {
		parts[i] = newGradient()
		sources[i] = rand.New(rand.NewPCG(seed, uint64(i)))
	}
	loss := 0.0
	const report = 500
	for step := 1; step <= steps; step++ {
		var wg sync.WaitGroup
		for i, g := range parts {
			wg.Go(func() {
				clear(g.weight)
				g.loss = 0
				for range batch / shards {
					class := next(sources[i], &g.pass.Input)
					g.add(w, class, sources[i])
				}
			})
		}
		wg.Wait()
		warm := math.Min(1, float64(step)/200)
		now := rate * warm * 0.5 * (1 + math.Cos(math.Pi*float64(step)/float64(steps)))
		c1, c2 := 1-math.Pow(beta1, float64(step)), 1-math.Pow(beta2, float64(step))
		for i := range w {
			d := 0.0
			for _, g := range parts {
				d += float64(g.weight[i])
			}
			d /= batch
			mean[i] = beta1*mean[i] + (1-beta1)*d
			square[i] = beta2*square[i] + (1-beta2)*d*d
			w[i] -= float32(now * (mean[i]/c1/(math.Sqrt(square[i]/c2)+epsilon) + 1e-4*float64(w[i])))
		}
		for _, g := range parts {
			loss += g.loss
		}
		if step%report == 0 {
			progress(step, loss/(report*batch))
			loss = 0
		}
	}
}

// initial returns random weights, of a size that keeps the values of layers about as great as those
// before (He et al. 2015).
func initial(random *rand.Rand) digit.Weights {
	w := make(digit.Weights, digit.Size)
	for _, l := range digit.Layers {
		weights, _ := w.Of(l)
		for i := range weights {
			weights[i] = float32(random.NormFloat64() * math.Sqrt(2/float64(l.In)))
		}
	}
	return w
}
