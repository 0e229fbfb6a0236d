package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed orders.scxml
var files embed.FS

var (
	errNoOrder  = errors.New("there is no such order")
	errConflict = errors.New("the order does not take this event now")
	orderID     = regexp.MustCompile(`^[\w-]{1,64}$`)
)

// An item is what a customer orders.
type item struct {
	Name  string `json:"name"`
	Price int    `json:"price"`
}

// A view is what a customer sees of an order.
type view struct {
	State  string
	Can    []string // events that the customer can send
	Items  []item   // and Parcel: data of the chart
	Parcel string
}

// A task is something that an order asks for. It may be done twice; its number tells.
type task struct {
	Number int
	Name   string
	Data   json.RawMessage
}

// A record is the file of an order.
type record struct {
	Requests []string // ids of the last ones
	Tasks    []task   // not yet done
	Asked    int      // number of the last task
	Snapshot json.RawMessage
}

// An order is what the service remembers of an order without its file.
type order struct {
	due   time.Time // of the next delayed event, or zero
	tasks []task
}

// A service has the orders of a folder. It is safe for concurrent use.
type service struct {
	dir    string
	now    func() time.Time
	chart  *scxml.Chart
	mu     sync.Mutex
	orders map[string]*order
}

// openService opens a folder, which no other process may use.
func openService(dir string, now func() time.Time) (*service, error) {
	chart, err := scxml.Load(files, "orders.scxml")
	if err != nil {
		return nil, err
	}
	sv := &service{dir: dir, now: now, chart: chart, orders: map[string]*order{}}
	names, err := filepath.Glob(sv.file("*"))
	for _, name := range names {
		id := strings.TrimSuffix(filepath.Base(name), ".json")
		sv.orders[id] = new(order)
		_, failed := sv.turn(context.Background(), id, "", scxml.Event{}, sv.partner())
		err = errors.Join(err, failed)
	}
	return sv, err
}

// customer lets in the events of customers, who must not say that they have paid.
func (sv *service) customer() scxml.Option {
	return scxml.WithAccept(func(name string) bool { return name == "pay" || name == "cancel" })
}

// partner lets in the events of banks and warehouses, which must not act as the chart's timers.
func (sv *service) partner() scxml.Option { return scxml.WithAccept(sv.chart.IsUserEvent) }

// place makes a new order.
func (sv *service) place(ctx context.Context, id string, items []item) (view, error) {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if sv.orders[id] != nil || !orderID.MatchString(id) {
		return view{}, fmt.Errorf("%q is not the id of a new order", id)
	}
	s, err := scxml.New(sv.chart, scxml.WithData("items", items), scxml.WithSessionID(id), scxml.WithClock(sv.now), sv.customer())
	if err == nil {
		err = s.Start(ctx)
	}
	if err != nil {
		return view{}, err
	}
	return sv.save(id, new(record), s)
}

// send gives an order an event of its customer. A repeated request is done once.
func (sv *service) send(ctx context.Context, id, request, event string, data any) (view, error) {
	return sv.turn(ctx, id, request, scxml.Event{Name: event, Data: data}, sv.customer())
}

// answer gives an order an event of a partner, who does not care whether it is of any use.
func (sv *service) answer(ctx context.Context, id, event string, data any) error {
	_, err := sv.turn(ctx, id, "", scxml.Event{Name: event, Data: data}, sv.partner())
	if errors.Is(err, errConflict) {
		err = nil
	}
	return err
}

// turn brings an order to the present, gives it an event and saves it. If it fails with an error
// other than errConflict, nothing has changed.
func (sv *service) turn(ctx context.Context, id, request string, ev scxml.Event, accept scxml.Option) (view, error) {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	r, err := sv.read(id)
	if err != nil {
		return view{}, err
	}
	s, err := scxml.Restore(sv.chart, r.Snapshot, scxml.WithClock(sv.now), accept)
	if err != nil {
		return view{}, err
	}
	if request != "" && slices.Contains(r.Requests, request) {
		ev = scxml.Event{}
	}
	effect, err := s.Do(ctx, sv.now(), ev)
	if err != nil {
		return view{}, err
	}
	if effect.Handled && request != "" {
		r.Requests = append(r.Requests, request)
		r.Requests = r.Requests[max(0, len(r.Requests)-64):]
	}
	for _, m := range effect.Sent {
		if strings.HasPrefix(m.Event.Name, "ask.") {
			r.Asked++
			r.Tasks = append(r.Tasks, task{r.Asked, m.Event.Name, datamodel.AppendJSON(nil, m.Event.Data)})
		}
	}
	v, err := sv.save(id, r, s)
	if err == nil && effect.Taken && !effect.Handled {
		err = errConflict
	}
	return v, err
}

// sweep continues the orders with something due.
func (sv *service) sweep(ctx context.Context) (err error) {
	for id, o := range sv.all() {
		if !o.due.IsZero() && !o.due.After(sv.now()) {
			_, failed := sv.turn(ctx, id, "", scxml.Event{}, sv.partner())
			err = errors.Join(err, failed)
		}
	}
	return err
}

// work calls do for the tasks of all orders, and removes each that is done.
func (sv *service) work(ctx context.Context, do func(ctx context.Context, id string, t task) error) (err error) {
	for id, o := range sv.all() {
		for _, t := range o.tasks {
			if failed := do(ctx, id, t); failed != nil {
				err = errors.Join(err, failed)
				break // the next task may need this one
			}
			err = errors.Join(err, sv.done(id, t))
		}
	}
	return err
}

func (sv *service) done(id string, t task) error {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	r, err := sv.read(id)
	if err == nil {
		r.Tasks = slices.DeleteFunc(r.Tasks, func(u task) bool { return u.Number == t.Number })
		err = sv.write(id, r, sv.orders[id].due)
	}
	return err
}

func (sv *service) all() map[string]*order {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	return maps.Clone(sv.orders)
}

func (sv *service) save(id string, r *record, s *scxml.Session) (v view, err error) {
	if r.Snapshot, err = s.Snapshot(); err == nil {
		v, err = scxml.Data[view](s)
	}
	if err != nil {
		return v, err
	}
	v.State, v.Can = s.Configuration()[1], s.Enabled()
	due, _ := s.NextDue()
	return v, sv.write(id, r, due)
}

func (sv *service) file(id string) string { return filepath.Join(sv.dir, id+".json") }

func (sv *service) read(id string) (*record, error) {
	if sv.orders[id] == nil {
		return nil, errNoOrder
	}
	r := new(record)
	text, err := os.ReadFile(sv.file(id))
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	return r, err
}

// write replaces the file of an order, all of it or nothing.
func (sv *service) write(id string, r *record, due time.Time) error {
	f, err := os.Create(sv.file(id) + ".new")
	if err != nil {
		return err
	}
	err = errors.Join(json.NewEncoder(f).Encode(r), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), sv.file(id))
	}
	if err == nil {
		sv.orders[id] = &order{due, r.Tasks}
	}
	return err
}
