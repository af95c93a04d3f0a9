"""``mindspore.dataset.audio``: its names, which import; transforms of sound are left out."""

import enum

from ..ops.left_out import LeftOut
from ..ops.signature import parse

_REASON = (
    "transforms of sound are MindSpore's compiled code",
    "Write a function with numpy or scipy.signal, and give it to dataset.map(...).",
)
_ENUMS = {
    "BorderType": "CONSTANT=constant EDGE=edge REFLECT=reflect SYMMETRIC=symmetric",
    "DensityFunction": "TPDF=TPDF RPDF=RPDF GPDF=GPDF",
    "FadeShape": "QUARTER_SINE=quarter_sine HALF_SINE=half_sine LINEAR=linear LOGARITHMIC=logarithmic "
    "EXPONENTIAL=exponential",
    "GainType": "AMPLITUDE=amplitude POWER=power DB=db",
    "Interpolation": "LINEAR=linear QUADRATIC=quadratic",
    "MelType": "HTK=htk SLANEY=slaney",
    "Modulation": "SINUSOIDAL=sinusoidal TRIANGULAR=triangular",
    "NormMode": "ORTHO=ortho NONE=none",
    "NormType": "SLANEY=slaney NONE=none",
    "ResampleMethod": "SINC_INTERPOLATION=sinc_interpolation KAISER_WINDOW=kaiser_window",
    "ScaleType": "POWER=power MAGNITUDE=magnitude",
    "WindowType": "BARTLETT=bartlett BLACKMAN=blackman HAMMING=hamming HANN=hann KAISER=kaiser",
}
_ROWS = [
    "AllpassBiquad(sample_rate, central_freq, Q=0.707)",
    "AmplitudeToDB(stype=ScaleType.POWER, ref_value=1.0, amin=1e-10, top_db=80.0)",
    "Angle()",
    "BandBiquad(sample_rate, central_freq, Q=0.707, noise=False)",
    "BandpassBiquad(sample_rate, central_freq, Q=0.707, const_skirt_gain=False)",
    "BandrejectBiquad(sample_rate, central_freq, Q=0.707)",
    "BassBiquad(sample_rate, gain, central_freq=100.0, Q=0.707)",
    "Biquad(b0, b1, b2, a0, a1, a2)",
    "ComplexNorm(power=1.0)",
    "ComputeDeltas(win_length=5, pad_mode=BorderType.EDGE)",
    "Contrast(enhancement_amount=75.0)",
    "DBToAmplitude(ref, power)",
    "DCShift(shift, limiter_gain=None)",
    "DeemphBiquad(sample_rate)",
    "DetectPitchFrequency(sample_rate, frame_time=0.01, win_length=30, freq_low=85, freq_high=3400)",
    "Dither(density_function=DensityFunction.TPDF, noise_shaping=False)",
    "EqualizerBiquad(sample_rate, center_freq, gain, Q=0.707)",
    "Fade(fade_in_len=0, fade_out_len=0, fade_shape=FadeShape.LINEAR)",
    "Filtfilt(a_coeffs, b_coeffs, clamp=True)",
    "Flanger(sample_rate, delay=0.0, depth=2.0, regen=0.0, width=71.0, speed=0.5, phase=25.0, "
    "modulation=Modulation.SINUSOIDAL, interpolation=Interpolation.LINEAR)",
    "FrequencyMasking(iid_masks=False, freq_mask_param=0, mask_start=0, mask_value=0.0)",
    "Gain(gain_db=1.0)",
    "GriffinLim(n_fft=400, n_iter=32, win_length=None, hop_length=None, window_type=WindowType.HANN, power=2.0, "
    "momentum=0.99, length=None, rand_init=True)",
    "HighpassBiquad(sample_rate, cutoff_freq, Q=0.707)",
    "InverseMelScale(n_stft, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, max_iter=100000, "
    "tolerance_loss=1e-05, tolerance_change=1e-08, sgdargs=None, norm=NormType.NONE, mel_type=MelType.HTK)",
    "InverseSpectrogram(length=None, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, "
    "normalized=False, center=True, pad_mode=BorderType.REFLECT, onesided=True)",
    "LFCC(sample_rate=16000, n_filter=128, n_lfcc=40, f_min=0.0, f_max=None, dct_type=2, norm=NormMode.ORTHO, "
    "log_lf=False, speckwargs=None)",
    "LFilter(a_coeffs, b_coeffs, clamp=True)",
    "LowpassBiquad(sample_rate, cutoff_freq, Q=0.707)",
    "MFCC(sample_rate=16000, n_mfcc=40, dct_type=2, norm=NormMode.ORTHO, log_mels=False, melkwargs=None)",
    "Magphase(power=1.0)",
    "MaskAlongAxis(mask_start, mask_width, mask_value, axis)",
    "MaskAlongAxisIID(mask_param, mask_value, axis)",
    "MelScale(n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=NormType.NONE, "
    "mel_type=MelType.HTK)",
    "MelSpectrogram(sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0,"
    " n_mels=128, window=WindowType.HANN, power=2.0, normalized=False, center=True, pad_mode=BorderType.REFLECT, "
    "onesided=True, norm=NormType.NONE, mel_scale=MelType.HTK)",
    "MuLawDecoding(quantization_channels=256)",
    "MuLawEncoding(quantization_channels=256)",
    "Overdrive(gain=20.0, color=20.0)",
    "PhaseVocoder(rate, phase_advance)",
    "Phaser(sample_rate, gain_in=0.4, gain_out=0.74, delay_ms=3.0, decay=0.4, mod_speed=0.5, sinusoidal=True)",
    "PitchShift(sample_rate, n_steps, bins_per_octave=12, n_fft=512, win_length=None, hop_length=None, "
    "window=WindowType.HANN)",
    "Resample(orig_freq=16000, new_freq=16000, resample_method=ResampleMethod.SINC_INTERPOLATION, "
    "lowpass_filter_width=6, rolloff=0.99, beta=None)",
    "RiaaBiquad(sample_rate)",
    "SlidingWindowCmn(cmn_window=600, min_cmn_window=100, center=False, norm_vars=False)",
    "SpectralCentroid(sample_rate, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN)",
    "Spectrogram(n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, power=2.0, "
    "normalized=False, center=True, pad_mode=BorderType.REFLECT, onesided=True)",
    "TimeMasking(iid_masks=False, time_mask_param=0, mask_start=0, mask_value=0.0)",
    "TimeStretch(hop_length=None, n_freq=201, fixed_rate=None)",
    "TrebleBiquad(sample_rate, gain, central_freq=3000, Q=0.707)",
    "Vad(sample_rate, trigger_level=7.0, trigger_time=0.25, search_time=1.0, allowed_gap=0.25, "
    "pre_trigger_time=0.0, boot_time=0.35, noise_up_time=0.1, noise_down_time=0.01, noise_reduction_amount=1.35, "
    "measure_freq=20.0, measure_duration=None, measure_smooth_time=0.4, hp_filter_freq=50.0, "
    "lp_filter_freq=6000.0, hp_lifter_freq=150.0, lp_lifter_freq=2000.0)",
    "Vol(gain, gain_type=GainType.AMPLITUDE)",
    "create_dct(n_mfcc, n_mels, norm=NormMode.NONE)",
    "linear_fbanks(n_freqs, f_min, f_max, n_filter, sample_rate)",
    "melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=NormType.NONE, mel_type=MelType.HTK)",
]


def _enum(name, text):
    """The class of strings that ``text`` says."""
    return enum.Enum(name, dict(each.split("=") for each in text.split()), type=str, module=__name__)


globals().update({name: _enum(name, text) for name, text in _ENUMS.items()})


def _left_out(text):
    name, signature = parse(text, globals())
    return name, LeftOut(f"dataset.audio.{name}", signature, _REASON)


globals().update(map(_left_out, _ROWS))
__all__ = [*_ENUMS, *(text.partition("(")[0] for text in _ROWS)]
