package gpu

// CanAccessPeer reports whether kernels on d can access the memory of peer in place.
func (d *Device) CanAccessPeer(peer *Device) (can bool, err error) {
	if peer.info.Ordinal == d.info.Ordinal {
		return true, nil
	}
	err = d.call("ask for peer access", func() (err error) {
		can, err = drv.canAccessPeer(d.info.Ordinal, peer.info.Ordinal)
		return err
	})
	return can, err
}

// EnablePeer lets kernels on d access the memory of peer in place, as long as both are open. Copies
// between devices (Buffer.CopyFrom) work without it.
func (d *Device) EnablePeer(peer *Device) error {
	return d.call("enable peer access", func() error {
		if d.peers[peer.info.Ordinal] {
			return nil
		}
		if err := drv.enablePeer(peer.ctx); err != nil {
			return err
		}
		d.peers[peer.info.Ordinal] = true
		return nil
	})
}
