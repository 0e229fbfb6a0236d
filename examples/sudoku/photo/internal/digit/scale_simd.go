//go:build goexperiment.simd && amd64

package digit

import "simd/archsimd"

// AddScaled adds v*f to sums, which are as many. It rounds as the other version does.
func AddScaled(sums, v []float32, f float32) {
	factor := archsimd.BroadcastFloat32x8(f)
	for len(v) >= 8 && len(sums) >= 8 {
		archsimd.LoadFloat32x8Slice(v).Mul(factor).Add(archsimd.LoadFloat32x8Slice(sums)).StoreSlice(sums)
		v, sums = v[8:], sums[8:]
	}
	archsimd.ClearAVXUpperBits()
	for i, x := range v {
		sums[i] += x * f
	}
}
