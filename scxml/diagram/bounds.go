package diagram

import "fmt"

// bounds are how much a picture may have.
type bounds map[quantity]int

// A quantity is what bounds count.
type quantity string

const (
	states      quantity = "states"
	transitions quantity = "transitions"
	crossed     quantity = "places where lines pass other states" // the time of a layout grows with them
)

// MaxStates is how many states a picture has at most. It is more than anyone can look at.
const MaxStates = 5_000

// A picture with as much as this takes some seconds.
var defaultBounds = bounds{states: MaxStates, transitions: 20_000, crossed: 250_000}

// check returns an error if there is too much of something.
func (b bounds) check(n int, of quantity) error {
	if n <= b[of] {
		return nil
	}
	return &TooLargeError{Count: n, Max: b[of], What: string(of)}
}

// A TooLargeError says what a diagram has too much of for a picture.
type TooLargeError struct {
	Count, Max int
	What       string // such as "states"
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("it has %d %s: a picture has at most %d", e.Count, e.What, e.Max)
}
