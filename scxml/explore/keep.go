package explore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A keepError says in the words of the chart why the states of a session cannot be kept.
type keepError struct {
	text string
	error
}

func (e *keepError) Error() string { return e.text }

func (e *keepError) Unwrap() error { return e.error }

// CannotKeep returns an error of [scxml.Session.Snapshot] or a search, which keeps states, for people who do not
// know the methods: with what in the data of the chart cannot be kept, where it is, and what to do.
func CannotKeep(chart *scxml.Chart, err error) error {
	if err == nil {
		return nil
	}
	var data *datamodel.NotSerializableError
	if !errors.As(err, &data) {
		if inner := errors.Unwrap(err); inner != nil {
			return inner
		}
		return err
	}
	place := ""
	item, _, _ := strings.Cut(data.Path, ".")
	item, _, _ = strings.Cut(item, "[")
	if pos := chart.DataPos(item); pos.IsValid() {
		place = pos.String() + ": "
	}
	way := "use numbers, strings, arrays and objects in its place"
	if strings.HasPrefix(data.What, "a function that captures") {
		way = "keep what it captures in a data item, or pass it as an argument"
	}
	return &keepError{fmt.Sprintf("%scannot keep %s of each state: it is %s; %s", place, data.Path, data.What, way), err}
}
