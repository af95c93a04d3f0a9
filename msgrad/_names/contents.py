"""Which names each file of ``msgrad`` has, so that it is imported when one is first asked for.

`tests.golden.make_contents` writes it.
"""

NAMES = {
    "_compat.left_out": "UntypedStorage flops_collection load_mindir mindio_preload save_mindir set_mindio_server_info",
    "_compat.modules.rewrite": "Node NodeType ScopedValue SymbolTree ValueType",
    "_compat.modules.safeguard": "load_obf_params_into_net obfuscate_ckpt",
    "parallel":
        "Layout build_searched_strategy convert_checkpoint_by_rank convert_checkpoints get_algo_parameters "
        "get_ckpt_path_with_strategy load_distributed_checkpoint load_segmented_checkpoints merge_pipeline_strategys "
        "merge_sliced_parameter parameter_broadcast rank_list_for_convert rank_list_for_transform "
        "reset_algo_parameters restore_group_info_list set_algo_parameters set_op_strategy_config shard "
        "sync_pipeline_shared_parameters transform_checkpoint_by_rank transform_checkpoints unified_safetensors",
    "runtime":
        "Event MemPool PluggableAllocator Stream StreamCtx StreamLimitCtx communication_stream current_stream "
        "default_stream dispatch_threads_num empty_cache get_device_limit get_stream_limit launch_blocking "
        "max_memory_allocated max_memory_reserved memory_allocated memory_replay memory_reserved memory_stats "
        "memory_summary reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats "
        "reset_stream_limit set_cpu_affinity set_cur_stream set_device_limit set_kernel_launch_capture "
        "set_kernel_launch_group set_memory set_stream_limit synchronize use_mem_pool",
    "train":
        "Accuracy BackupAndRestore BleuScore Callback CheckpointConfig ConfusionMatrix ConfusionMatrixMetric "
        "ConvertModelUtils ConvertNetUtils CosineSimilarity DatasetHelper Dice DynamicLossScaleManager EarlyStopping "
        "F1 Fbeta FixedLossScaleManager FlopsUtilizationCollector HausdorffDistance History LambdaCallback "
        "LearningRateScheduler Loss LossMonitor LossScaleManager MAE MSE MeanSurfaceDistance Metric Model "
        "ModelCheckpoint OcclusionSensitivity OnRequestExit Perplexity Precision ROC Recall ReduceLROnPlateau "
        "RootMeanSquareDistance RunContext SummaryCollector SummaryLandscape SummaryRecord TimeMonitor "
        "Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy TrainFaultTolerance "
        "async_ckpt_thread_status auc build_searched_strategy build_train_network ckpt_to_safetensors "
        "connect_network_with_dataset data_sink export export_split_mindir get_ckpt_path_with_strategy get_metric_fn "
        "load load_checkpoint load_checkpoint_async load_distributed_checkpoint load_param_into_net "
        "load_segmented_checkpoints merge_sliced_parameter names rearrange_inputs restore_group_info_list "
        "safetensors_to_ckpt save_checkpoint",
}  # fmt: skip
