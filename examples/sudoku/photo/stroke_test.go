package photo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// strokes are digits as people draw them, several ways for some, each in a square of 100.
var strokes = map[int][][][]Point{
	1: {{{{50, 0}, {50, 100}}}, {{{30, 25}, {55, 0}, {55, 100}}}, {{{60, 0}, {45, 100}}}},
	2: {{{{20, 25}, {28, 8}, {50, 0}, {72, 10}, {76, 30}, {60, 55}, {20, 100}, {80, 100}}}},
	3: {{{{22, 12}, {45, 0}, {70, 10}, {72, 32}, {45, 46}, {74, 60}, {76, 85}, {50, 100}, {20, 88}}}},
	4: {{{{60, 0}, {20, 65}, {85, 65}}, {{62, 35}, {62, 100}}}, {{{25, 0}, {22, 50}, {78, 50}}, {{70, 0}, {70, 100}}}},
	5: {{{{75, 0}, {28, 0}, {24, 42}, {52, 36}, {76, 52}, {76, 80}, {52, 100}, {22, 90}}}, {{{28, 0}, {24, 42}, {52, 36}, {76, 52}, {76, 80}, {52, 100}, {22, 90}}, {{28, 0}, {75, 0}}}},
	6: {{{{66, 0}, {40, 20}, {25, 55}, {28, 85}, {50, 100}, {74, 85}, {72, 62}, {50, 52}, {28, 66}}}},
	7: {{{{18, 0}, {80, 0}, {45, 100}}}, {{{18, 0}, {80, 0}, {45, 100}}, {{35, 52}, {75, 48}}}},
	8: {{{{70, 12}, {48, 0}, {26, 12}, {32, 36}, {66, 60}, {76, 82}, {50, 100}, {24, 84}, {34, 60}, {64, 36}, {70, 12}}}},
	9: {{{{74, 20}, {52, 2}, {28, 16}, {30, 40}, {52, 50}, {72, 36}, {74, 14}, {72, 60}, {60, 100}}}},
}

// Drawn digits are read whatever their size, place, slant and haste; those in doubt say so.
func TestReadStrokes(t *testing.T) {
	r, random := NewReader(), rand.New(rand.NewPCG(1, 2))
	all, right, sureWrong := 0, 0, 0
	for digit := 1; digit <= 9; digit++ {
		for _, drawing := range strokes[digit] {
			for range 20 {
				angle, slant, size, wide := (random.Float64()-0.5)*0.3, (random.Float64()-0.5)*0.4, 0.01+random.Float64(), 0.8+random.Float64()*0.4
				var drawn [][]Point
				for _, stroke := range drawing {
					var line []Point
					for _, p := range stroke {
						x, y := (p.X-50)*wide-slant*(p.Y-50)+random.NormFloat64()*1.5, p.Y-50+random.NormFloat64()*1.5
						line = append(line, Point{7 + size*(x*math.Cos(angle)-y*math.Sin(angle)), -3 + size*(x*math.Sin(angle)+y*math.Cos(angle))})
					}
					drawn = append(drawn, line)
				}
				all++
				switch got, probability := r.ReadStrokes(drawn); {
				case got == digit:
					right++
				case probability > 0.9:
					sureWrong++
					t.Logf("%d is read as %d, %.2f", digit, got, probability)
				}
			}
		}
	}
	t.Logf("%d of %d are right", right, all)
	if right < all*95/100 || sureWrong > all/100 {
		t.Errorf("%d of %d drawings are right, and %d wrong without a doubt", right, all, sureWrong)
	}
	if got, probability := r.ReadStrokes([][]Point{{{3, 3}}}); got != 0 || probability != 0 {
		t.Errorf("a dot is read as %d, %v", got, probability)
	}
}
