"""Functions of `mint` under the names of MindSpore's files.  (``ops.function.*``, ``ops.auto_generate``)"""

from ... import mint

# Each name of theirs with that of `mint`, by the module of `mint`.
_MINT = """
    acos_ext=acos acosh_ext=acosh addbmm_ext=addbmm addmm_ext=addmm addmv_ext=addmv amax_ext=amax amin_ext=amin
    arange_ext=arange arccos_ext=arccos arccosh_ext=arccosh arcsin_ext=arcsin arcsinh_ext=arcsinh
    arctan2_ext=arctan2 arctan_ext=arctan argmax_ext=argmax argmin_ext=argmin argsort_ext=argsort asin_ext=asin
    asinh_ext=asinh atan2_ext=atan2 atan_ext=atan baddbmm_ext=baddbmm batch_norm_elemt=batch_norm_elemt
    batch_norm_gather_stats_with_counts=batch_norm_gather_stats_with_counts batch_norm_stats=batch_norm_stats
    bernoulli_ext=bernoulli bincount_ext=bincount bitwise_and_ext=bitwise_and bitwise_or_ext=bitwise_or
    bitwise_xor_ext=bitwise_xor bmm_ext=bmm broadcast_to_view=broadcast_to chunk_view=chunk clone=clone
    conv_tbc=conv_tbc cummin_ext=cummin cumsum_ext=cumsum diag_ext=diag diff_ext=diff einsum_ext=einsum
    empty=empty empty_like=empty_like flatten_ext=flatten float_power_ext=float_power frac_ext=frac full_ext=full
    full_like_ext=full_like gather_ext=gather histc_ext=histc index_select_ext=index_select inplace_addr=addr_
    inverse_ext=inverse isneginf_ext=isneginf kthvalue=kthvalue linspace_ext=linspace log10_ext=log10
    log2_ext=log2 logaddexp_ext=logaddexp logsumexp_ext=logsumexp mean_ext=mean median_ext=median
    meshgrid_ext=meshgrid mm_ext=mm multinomial_ext=multinomial narrow_view=narrow norm_ext=norm normal_ext=normal
    npu_gelu=npu_gelu ones_like_ext=ones_like outer_ext=outer pow_ext=pow prod_ext=prod rand_ext=rand
    rand_like_ext=rand_like randint_ext=randint randint_like_ext=randint_like randn_ext=randn
    randn_like_ext=randn_like randperm_ext=randperm scatter_add_ext=scatter_add select_ext_view=select
    sort_ext=sort split_ext=split split_view=split stack_ext=stack std_ext=std std_mean_ext=std_mean sum_ext=sum
    topk_ext=topk
    trace_ext=trace transpose_ext_view=transpose triangular_solve=triangular_solve tril_ext=tril unbind_ext=unbind
    unique_ext=unique unsqueeze_view=unsqueeze var_ext=var var_mean_ext=var_mean vdot=vdot
    zeros_like_ext=zeros_like
"""
_FUNCTIONAL = """
    adaptive_avg_pool2d_ext=adaptive_avg_pool2d avg_pool1d_ext=avg_pool1d avg_pool2d_ext=avg_pool2d
    avg_pool3d_ext=avg_pool3d batch_norm_ext=batch_norm conv2d_ext=conv2d cross_entropy_ext=cross_entropy
    dropout2d_ext=dropout2d dropout_ext=dropout fold_ext=fold glu_ext=glu inplace_hardtanh=hardtanh_
    inplace_threshold=threshold_ interpolate_ext=interpolate kl_div_ext=kl_div l1_loss_ext=l1_loss
    leaky_relu_ext=leaky_relu log_softmax_ext=log_softmax logsigmoid_ext=logsigmoid max_pool2d_ext=max_pool2d
    max_unpool2d_ext=max_unpool2d mish_ext=mish mse_loss_ext=mse_loss nll_loss_ext=nll_loss one_hot_ext=one_hot
    pad_ext=pad softmax_ext=softmax softplus_ext=softplus unfold_ext=unfold
"""
_LINALG = """
    linalg_norm=norm linalg_qr=qr matrix_norm_ext=matrix_norm vector_norm_ext=vector_norm
"""

for _table, _module in ((_MINT, mint), (_FUNCTIONAL, mint.nn.functional), (_LINALG, mint.linalg)):
    for _pair in _table.split():
        _theirs, _, _ours = _pair.partition("=")
        globals()[_theirs] = getattr(_module, _ours)
