package diagram

// A Point is a place in a picture, in pixels from its upper left corner.
type Point struct{ X, Y int }

// A Rect is a rectangle, X and Y its upper left corner.
type Rect struct{ X, Y, W, H int }

func (r Rect) right() int  { return r.X + r.W }
func (r Rect) bottom() int { return r.Y + r.H }

// moved returns r moved by p.
func (r Rect) moved(p Point) Rect { return Rect{r.X + p.X, r.Y + p.Y, r.W, r.H} }
