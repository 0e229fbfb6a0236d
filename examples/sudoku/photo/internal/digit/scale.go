package digit

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
