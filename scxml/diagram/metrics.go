package diagram

// Sizes of text in pixels.
const (
	nameSize   = 13 // of the names of states
	textSize   = 11 // of all other text
	lineHeight = 15 // of text
)

// advances has the widths of the characters from the space to "~" in thousandths of the size, those
// of Go Regular. Those of Arial, Helvetica and Liberation Sans are the same or a little smaller.
var advances = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 584, 584, 316, 584, 316, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 306, 306, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 399, 496, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 247, 253, 500, 268, 833, 556, 556,
	556, 556, 333, 500, 283, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// textWidth returns the width of a text in pixels, rounded up. Bold text is a tenth wider.
func textWidth(text string, size int, bold bool) int {
	sum := 0
	for _, r := range text {
		switch {
		case r >= ' ' && r <= '~':
			sum += advances[r-' ']
		case r >= 0x1100 || r == '…': // CJK, symbols and pictures
			sum += 1000
		default:
			sum += 722
		}
	}
	if bold {
		sum += sum / 10
	}
	return (sum*size + 999) / 1000
}

// step is what widths are a multiple of, so that most changes of a text move nothing.
const step = 24

// stepped rounds a width up to a multiple of step.
func stepped(width int) int { return (width + step - 1) / step * step }
