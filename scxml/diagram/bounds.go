package diagram

import "fmt"

// bounds are how much a picture may have.
type bounds struct {
	states, transitions int
	crossed             int // places where lines pass other states: the time of a layout grows with them
}

// MaxStates is how many states a picture has at most. It is more than anyone can look at.
const MaxStates = 5_000

// A picture with as much as this takes some seconds.
var defaultBounds = bounds{MaxStates, 20_000, 250_000}

// tooLarge returns an error if there is too much of something.
func tooLarge(n, most int, what string) error {
	if n <= most {
		return nil
	}
	return &TooLargeError{Count: n, Max: most, What: what}
}

const placesCrossed = "places where lines pass other states"

// A TooLargeError says what a diagram has too much of for a picture.
type TooLargeError struct {
	Count, Max int
	What       string // such as "states"
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("it has %d %s: a picture has at most %d", e.Count, e.What, e.Max)
}
