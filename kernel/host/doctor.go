package host

import (
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// finders are the rooms' checks for the verb doctor.
var finders []func(*Call) []reply.Finding

// Finds lets the verb doctor tell what f finds, after what there is of GPUs.
func Finds(f func(*Call) []reply.Finding) { finders = append(finders, f) }

var _ = handle("doctor", (*Host).doctor)

func (h *Host) doctor(c *Call, _ *wire.Empty) (*reply.DoctorReply, error) {
	rep := &reply.DoctorReply{
		Verb: "doctor", Usable: gpus.Available() == nil,
		Findings: append([]reply.Finding{}, gpus.Doctor()...),
	}
	for _, f := range finders {
		rep.Findings = append(rep.Findings, f(c)...)
	}
	return rep, nil
}
