package reply_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// fill gives every field of a reply a value, and every text the reply.Hostile one.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(reply.Hostile)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		if depth > 4 {
			return
		}
		s := reflect.MakeSlice(v.Type(), 3, 3)
		for i := range 3 {
			fill(s.Index(i), depth+1)
		}
		v.Set(s)
	case reflect.Map:
		m := reflect.MakeMap(v.Type())
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		m.SetMapIndex(key, value)
		v.Set(m)
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[record.Value]():
			v.Set(reflect.ValueOf(record.Text(reply.Hostile)))
			return
		case reflect.TypeFor[time.Time]():
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth+1)
			}
		}
	default:
	}
}

// ownColours matches a colour of text or ground in a style: the page's are inherited.
var ownColours = regexp.MustCompile(`[";](color|background[a-z-]*):`)

// Every reply is HTML that lets nothing of a name through and takes the page's colours; so is
// an empty one.
func TestHTML(t *testing.T) {
	t.Parallel()
	for _, v := range wire.Verbs {
		for _, full := range []bool{false, true} {
			r := v.NewReply()
			if r == nil {
				continue
			}
			if full {
				fill(reflect.ValueOf(r).Elem(), 0)
				if p, ok := r.(*reply.PlotReply); ok { // a picture is not text
					p.Mime, p.Data, p.Path = "image/png", []byte("x"), ""
				}
			}
			h := r.HTML()
			if _, ok := r.(*reply.BestReply); !ok && h == "" {
				t.Errorf("%s: nothing", v.Name)
			}
			err := reply.WellFormed(strings.NewReplacer("\x1b", "", "<br>", "<br/>").Replace(h))
			if err != nil {
				t.Errorf("%s: %v in %s", v.Name, err, h)
			}
			if strings.Contains(h, "<script>") || ownColours.MatchString(h) {
				t.Errorf("%s: %s", v.Name, h)
			}
		}
	}
}
