package action

import (
	"context"

	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// maxWaiting is the maximum number of inputs that wait while a script runs. What comes then is lost.
const maxWaiting = 1000

// Post makes something be done in an input, while Queue runs. It may be called from any goroutine.
func (h *Hand) Post(ctx context.Context, do func()) {
	select {
	case h.posts <- do:
	case <-ctx.Done():
	}
}

// Queue gives the driver inputs until ctx is done: the first one, and then what is posted. It takes
// that also while a script runs. It calls show after an input that no rest follows, see [game.Game.Waits].
func (h *Hand) Queue(ctx context.Context, first drive.Input, inputs chan<- drive.Input, show func()) {
	waiting := []drive.Input{first}
	for {
		var out chan<- drive.Input
		var next drive.Input
		if len(waiting) > 0 {
			out, next = inputs, waiting[0]
		}
		select {
		case <-ctx.Done():
			return
		case out <- next:
			waiting = waiting[1:]
		case do := <-h.posts:
			if len(waiting) == maxWaiting {
				break
			}
			waiting = append(waiting, func(s drive.Session) error {
				h.Session = s
				if do(); h.Game.Waits() {
					show()
				}
				return nil
			})
		}
	}
}
