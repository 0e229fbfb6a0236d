package diagram

// A Point is a place in a picture, in pixels from its upper left corner.
type Point struct{ X, Y int }

// A Rect is a rectangle, X and Y its upper left corner.
type Rect struct{ X, Y, W, H int }

func (r Rect) right() int { return r.X + r.W }
